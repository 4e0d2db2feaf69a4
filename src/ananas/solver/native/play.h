/* Playing on: the placements of a street, which of them the nets like best, and whole hands played so to the end. */

#ifndef ANANAS_PLAY_H
#define ANANAS_PLAY_H

#include "fantasyland.h"
#include "net.h"

#define MOST_DEALT 5
#define MOST_PLACEMENTS 243
#define MOST_TOLD (MOST_PLACEMENTS + 1) /* nets judge two at a time */
#define STREETS 5
static const int DEALT[STREETS] = {5, 3, 3, 3, 3};
static const int LAID[STREETS] = {5, 2, 2, 2, 2};

/* The nets after street 1 to street 4. */
typedef struct {
    const Net *street[STREETS - 1];
} Nets;

/* Which of the dealt cards go to each row, as bits; those in none are thrown away. */
typedef struct {
    uint8_t row[3];
} Choice;

static void empty_rows(Row rows[3]) {
    memset(rows, 0, 3 * sizeof *rows);
    for (int row = 0; row < 3; row++) rows[row].size = (uint8_t)ROW_SIZE[row];
}

static int list_choices(const Row rows[3], int dealt, int laid, Choice *choices) {
    int found = 0, every = 1;
    for (int i = 0; i < dealt; i++) every *= 4;
    for (int way = 0; way < every; way++) {
        Choice choice = {{0, 0, 0}};
        int left = dealt - laid, fits = 1, w = way;
        int free[3];
        for (int row = 0; row < 3; row++) free[row] = rows[row].size - rows[row].cards;
        for (int card = 0; card < dealt && fits; card++, w >>= 2) {
            int to = w & 3;
            if (to == 3) fits = --left >= 0;
            else fits = --free[to] >= 0, choice.row[to] |= (uint8_t)(1 << card);
        }
        if (fits && left == 0) choices[found++] = choice;
    }
    return found;
}

/* Rows with some of the dealt cards added, and what each adds to the first layer: worked out when it is needed. */
typedef struct {
    Row row[3][1 << MOST_DEALT];
    Making making[3][1 << MOST_DEALT];
    float wide[3][1 << MOST_DEALT][WIDE] __attribute__((aligned(32))), ranks[3][WIDE] __attribute__((aligned(32)));
    uint32_t known[3], summed[3];
} Grown;

static inline const Row *grown_row(Grown *grown, const Row rows[3], const uint8_t *dealt, int place, int cards) {
    Row *row = &grown->row[place][cards];
    if (!(grown->known[place] >> cards & 1)) {
        *row = rows[place];
        for (int set = cards; set; set &= set - 1) add_card(row, dealt[__builtin_ctz((unsigned)set)]);
        grown->known[place] |= 1u << cards;
    }
    return row;
}

/* What is the same for all placements of a street: the sums of the first layer before any row is looked at. */
typedef struct {
    Live live;
    float base[WIDE];
} Setting;

static void dense_inputs(const Worth *worth, float dense[DENSE]) {
    for (int entry = 1; entry <= ENTRIES; entry++) dense[entry - 1] = worth->fantasyland[entry] / 10;
    dense[ENTRIES] = worth->others > 0;
}

VECTORS
static void prepare(const Net *net, const Worth *worth, uint64_t unseen, int kind, const Row *other, Setting *setting) {
    uint16_t features[MOST_FEATURES];
    float dense[DENSE];
    setting->live = live_cards(unseen);
    int count = shared_features(&setting->live, kind, other, features);
    sum_features(net, features, count, net->wide_bias, setting->base);
    dense_inputs(worth, dense);
    for (int d = 0; d < DENSE; d++)
        for (int i = 0; i < WIDE; i++) setting->base[i] += dense[d] * net->dense[d][i];
}

static inline void clear_grown(Grown *grown) {
    memset(grown->known, 0, sizeof grown->known);
    memset(grown->summed, 0, sizeof grown->summed);
}

/* The sums of the first layer that the ranks of a row make that takes cards and will not be full; those of the top begin
   with what all placements share. */
INLINE void sum_ranks(const Net *net, const Setting *setting, const Row *row, int place, Grown *grown) {
    static const float nothing[WIDE];
    uint16_t features[MOST_FEATURES];
    int count = rank_features(row, place, 1, row->ranks, &setting->live, features);
    sum_features(net, features, count, place ? nothing : setting->base, grown->ranks[place]);
}

/* The sums that a row makes with some of the dealt cards. */
INLINE void sum_row(const Net *net, const Setting *setting, const Row *before, const Row *row, int place, int cards,
                    Grown *grown) {
    static const float nothing[WIDE];
    uint16_t features[MOST_FEATURES];
    /* Ranks that it had, and had as often, need not be summed again. */
    unsigned without = row->cards < row->size ? before->ranks : 0;
    for (unsigned ranks = without; ranks; ranks &= ranks - 1)
        if (row->count[__builtin_ctz(ranks)] != before->count[__builtin_ctz(ranks)]) without = 0;
    const float *start = without ? grown->ranks[place] : place ? nothing : setting->base;
    int count = row_features(row, place, without, &setting->live, features);
    sum_features(net, features, count, start, grown->wide[place][cards]);
    grown->making[place][cards] = making_of(row);
    grown->summed[place] |= 1u << cards;
}

/* The first layer of a placement. */
INLINE void first_layer(const Net *net, const Setting *setting, const Row rows[3], const uint8_t *dealt, Choice choice,
                        Grown *grown, float *restrict wide) {
    const float *restrict sums[3];
    const Making *making[3];
    uint16_t order[4];
    for (int place = 0; place < 3; place++) {
        int cards = choice.row[place];
        if (!(grown->summed[place] >> cards & 1))
            sum_row(net, setting, &rows[place], grown_row(grown, rows, dealt, place, cards), place, cards, grown);
        making[place] = &grown->making[place][cards];
        sums[place] = grown->wide[place][cards];
    }
    order_features(making, order);
    const float *restrict a = net->wide[order[0]], *restrict b = net->wide[order[1]];
    const float *restrict c = net->wide[order[2]], *restrict d = net->wide[order[3]];
    for (int i = 0; i < WIDE; i += 8) {
        Eight sum = *(const Eight *)(sums[0] + i) + *(const Eight *)(sums[1] + i) + *(const Eight *)(sums[2] + i);
        sum = sum + *(const Eight *)(a + i) + *(const Eight *)(b + i) + *(const Eight *)(c + i) + *(const Eight *)(d + i);
        bend(&sum);
        *(Eight *)(wide + i) = sum;
    }
}

/* What the net sees in each placement: points and parts. There is room for a whole number of pairs. */
VECTORS
static void judge_choices(const Net *net, const Worth *worth, const Setting *setting, const Row rows[3],
                          const uint8_t *dealt, const Choice *choices, int count, float (*told)[TOLD]) {
    Grown grown;
    Upper upper __attribute__((aligned(32)));
    float wide[2][WIDE] __attribute__((aligned(32))) = {{0}};
    clear_grown(&grown);
    upper_of(net, worth, &upper);
    for (int place = 0; place < 3; place++)
        if (rows[place].cards) sum_ranks(net, setting, &rows[place], place, &grown);
    for (int one = 0; one < count; one += 2) {
        for (int two = 0; two < 2 && one + two < count; two++)
            first_layer(net, setting, rows, dealt, choices[one + two], &grown, wide[two]);
        upper_layers(net, &upper, wide, told + one);
    }
}

static void lay_choice(Row rows[3], const uint8_t *dealt, Choice choice) {
    for (int place = 0; place < 3; place++)
        for (int set = choice.row[place]; set; set &= set - 1)
            add_card(&rows[place], dealt[__builtin_ctz((unsigned)set)]);
}

static int best_of(float (*told)[TOLD], int count) {
    int best = 0;
    for (int i = 1; i < count; i++)
        if (told[i][0] > told[best][0]) best = i;
    return best;
}

/* The last street: the best full board, exactly. */
static float last_street(const Worth *worth, const Row rows[3], const uint8_t *dealt, int count, int laid, Choice *chosen,
                         float *parts) {
    static _Thread_local Grown grown;
    static _Thread_local Choice choices[MOST_PLACEMENTS];
    int found = list_choices(rows, count, laid, choices), best = 0;
    float most = -1e9f;
    int made[3], best_made[3] = {0, 0, 0};
    int strengths[3][1 << MOST_DEALT];
    clear_grown(&grown);
    for (int one = 0; one < found; one++) {
        for (int place = 0; place < 3; place++) {
            int cards = choices[one].row[place];
            if (!(grown.known[place] >> cards & 1))
                strengths[place][cards] = strength_of_row(grown_row(&grown, rows, dealt, place, cards));
            made[place] = strengths[place][cards];
        }
        float value = value_of(worth, made[0], made[1], made[2], NULL);
        if (one == 0 || value > most) most = value, best = one, memcpy(best_made, made, sizeof made);
    }
    if (parts) value_of(worth, best_made[0], best_made[1], best_made[2], parts);
    if (chosen) *chosen = choices[best];
    return most;
}

/* A seat in a hand that is played to its end. */
typedef struct {
    Row rows[3];
    uint64_t unseen; /* what it has not seen */
    float word;      /* what a net has said of its board, when it was asked last */
} Seat;

/* Play one street as the nets like it; `heat` 0 takes the best, more takes others at times. Gives the choice. */
static Choice play_street(const Nets *nets, const Worth *worth, Seat *seat, int street, const uint8_t *dealt, int kind,
                          const Row *other, float heat, Chance *chance) {
    Choice choices[MOST_PLACEMENTS];
    Choice chosen;
    for (int i = 0; i < DEALT[street]; i++) seat->unseen &= ~(1ull << dealt[i]);
    if (street == STREETS - 1) {
        last_street(worth, seat->rows, dealt, DEALT[street], LAID[street], &chosen, NULL);
    } else {
        float told[MOST_TOLD][TOLD];
        Setting setting;
        const Net *net = nets->street[street];
        int count = list_choices(seat->rows, DEALT[street], LAID[street], choices);
        prepare(net, worth, seat->unseen, kind, other, &setting);
        judge_choices(net, worth, &setting, seat->rows, dealt, choices, count, told);
        if (heat > 0)
            for (int i = 0; i < count; i++) {
                float u = ((float)(next_number(chance) >> 40) + 0.5f) / 16777216.0f;
                told[i][0] -= heat * __builtin_logf(-__builtin_logf(u));
            }
        int best = best_of(told, count);
        chosen = choices[best];
        seat->word = told[best][0];
    }
    lay_choice(seat->rows, dealt, chosen);
    return chosen;
}

/* How a board of street 4 is chosen from the best few by the net, and what it is worth: exactly. */
static float exact_street_four(const Nets *nets, const Worth *worth, Seat *seat, const uint8_t *dealt, int kind,
                               const Row *other, int tries, float *parts) {
    Choice choices[MOST_PLACEMENTS];
    float told[MOST_TOLD][TOLD];
    uint8_t cards[52];
    for (int i = 0; i < DEALT[3]; i++) seat->unseen &= ~(1ull << dealt[i]);
    int found = list_choices(seat->rows, DEALT[3], LAID[3], choices);
    Setting setting;
    prepare(nets->street[3], worth, seat->unseen, kind, other, &setting);
    judge_choices(nets->street[3], worth, &setting, seat->rows, dealt, choices, found, told);
    int count = cards_of(seat->unseen, cards);
    Row best[3];
    float most = -1e9f;
    for (int t = 0; t < tries && t < found; t++) {
        int one = best_of(told, found);
        if (t == 0) seat->word = told[one][0];
        told[one][0] = -2e9f;
        Row rows[3];
        memcpy(rows, seat->rows, sizeof rows);
        lay_choice(rows, dealt, choices[one]);
        float value = mean_of_draws(worth, rows, cards, count, NULL);
        if (t == 0 || value > most) most = value, memcpy(best, rows, sizeof best);
    }
    memcpy(seat->rows, best, sizeof best);
    if (parts) most = mean_of_draws(worth, best, cards, count, parts);
    return most;
}

#endif
