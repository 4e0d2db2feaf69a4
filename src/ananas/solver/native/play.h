/* Playing on: the placements of a street, which of them the nets like best, and whole hands played so to the end. */

#ifndef ANANAS_PLAY_H
#define ANANAS_PLAY_H

#include "fantasyland.h"
#include "net.h"

#define MOST_DEALT 5
#define MOST_PLACEMENTS 243
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
    float wide[3][1 << MOST_DEALT][WIDE];
    uint32_t known[3], summed[3];
} Grown;

static const Row *grown_row(Grown *grown, const Row rows[3], const uint8_t *dealt, int place, int cards) {
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

static void prepare(const Net *net, const Worth *worth, uint64_t unseen, int kind, const Row *other, Setting *setting) {
    uint16_t features[MOST_FEATURES];
    float dense[DENSE];
    setting->live = live_cards(unseen);
    int count = shared_features(&setting->live, kind, other, features);
    memcpy(setting->base, net->wide_bias, sizeof setting->base);
    sum_features(net, features, count, setting->base);
    dense_inputs(worth, dense);
    for (int d = 0; d < DENSE; d++)
        for (int i = 0; i < WIDE; i++) setting->base[i] += dense[d] * net->dense[d][i];
}

static void second_layer(const Net *net, const Setting *setting, const Row rows[3], const uint8_t *dealt, Choice choice,
                         Grown *grown, float narrow[NARROW]) {
    const Row *after[3];
    Making making[3];
    for (int place = 0; place < 3; place++) {
        int cards = choice.row[place];
        const Row *row = grown_row(grown, rows, dealt, place, cards);
        if (!(grown->summed[place] >> cards & 1)) {
            uint16_t features[MOST_FEATURES];
            int count = row_features(row, place, &setting->live, features);
            memset(grown->wide[place][cards], 0, sizeof grown->wide[place][cards]);
            sum_features(net, features, count, grown->wide[place][cards]);
            grown->making[place][cards] = making_of(row);
            grown->summed[place] |= 1u << cards;
        }
        after[place] = row;
        making[place] = grown->making[place][cards];
    }
    uint16_t order[4];
    order_features(after, making, order);
    narrow_layer(net, setting->base, grown->wide[0][choice.row[0]], grown->wide[1][choice.row[1]],
                 grown->wide[2][choice.row[2]], order, narrow);
}

static inline void clear_grown(Grown *grown) {
    memset(grown->known, 0, sizeof grown->known);
    memset(grown->summed, 0, sizeof grown->summed);
}

/* The points the net sees in each placement; with `parts` also the parts they are made of. */
static void judge_choices(const Net *net, const Worth *worth, const Setting *setting, const Row rows[3],
                          const uint8_t *dealt, const Choice *choices, int count, float *points, float (*parts)[PARTS]) {
    static _Thread_local Grown grown;
    float price[PARTS], towards[NARROW], bias = 0;
    clear_grown(&grown);
    part_prices(worth, price);
    for (int j = 0; j < NARROW; j++) {
        towards[j] = 0;
        for (int part = 0; part < PARTS; part++) towards[j] += price[part] * net->parts[j][part];
    }
    for (int part = 0; part < PARTS; part++) bias += price[part] * net->parts_bias[part];
    for (int one = 0; one < count; one++) {
        float narrow[NARROW], sum = bias;
        second_layer(net, setting, rows, dealt, choices[one], &grown, narrow);
        for (int j = 0; j < NARROW; j++) sum += narrow[j] * towards[j];
        points[one] = sum;
        if (parts) all_parts(net, narrow, parts[one]);
    }
}

static void lay_choice(Row rows[3], const uint8_t *dealt, Choice choice) {
    for (int place = 0; place < 3; place++)
        for (int set = choice.row[place]; set; set &= set - 1)
            add_card(&rows[place], dealt[__builtin_ctz((unsigned)set)]);
}

static int best_of(const float *points, int count) {
    int best = 0;
    for (int i = 1; i < count; i++)
        if (points[i] > points[best]) best = i;
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
        float points[MOST_PLACEMENTS];
        Setting setting;
        const Net *net = nets->street[street];
        int count = list_choices(seat->rows, DEALT[street], LAID[street], choices);
        prepare(net, worth, seat->unseen, kind, other, &setting);
        judge_choices(net, worth, &setting, seat->rows, dealt, choices, count, points, NULL);
        if (heat > 0)
            for (int i = 0; i < count; i++) {
                float u = ((float)(next_number(chance) >> 40) + 0.5f) / 16777216.0f;
                points[i] -= heat * __builtin_logf(-__builtin_logf(u));
            }
        chosen = choices[best_of(points, count)];
    }
    lay_choice(seat->rows, dealt, chosen);
    return chosen;
}

#endif
