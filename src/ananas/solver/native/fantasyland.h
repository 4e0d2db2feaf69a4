/* Fantasyland, exactly: thirteen to seventeen cards, and the board in order whose rows are worth most.

   Every three and every five of the cards are looked up once. Fives are put into falling order in buckets, each of which
   is sorted only when the search comes to it; and the search stops where nothing below can be worth more. */

#ifndef ANANAS_FANTASYLAND_H
#define ANANAS_FANTASYLAND_H

#include "cards.h"

#define MOST_FIVES 6188 /* fives of seventeen cards */
#define MOST_THREES 680
#define STEP 16       /* so many are looked at together */
#define BUCKET_BITS 5
#define BUCKETS ((STRENGTHS >> BUCKET_BITS) + 1)

/* Conditions of staying, as bits. */
enum { STAY_TOP_TRIPS = 1, STAY_MIDDLE_FULL_HOUSE = 2, STAY_MIDDLE_QUADS = 4, STAY_BOTTOM_QUADS = 8 };

typedef struct {
    const float *worth[3]; /* of each row by strength; none falls */
    int strict, stays;
    float stay;
    int least_trips, least_full_house, least_quads; /* the weakest strengths that meet the conditions */
} Wishes;

typedef struct {
    float value;
    uint32_t taken[3];
    int found;
} Layout;

/* strength above, cards taken below, so that the order of numbers is that of strengths */
typedef uint32_t Made;
#define MADE_STRENGTH(made) ((int)((made) >> 17))
#define MADE_TAKEN(made) ((made) & 0x1FFFF)

typedef struct {
    Made made[MOST_FIVES];
    int start[BUCKETS + 1]; /* buckets lie in falling order */
    int count, sorted;      /* how many are in order by now */
    int next;               /* the bucket to be sorted next */
} Falling;

static inline void sort_falling(Made *made, int count) {
    for (int gap = count > 24 ? count / 3 : 1;; gap = gap > 8 ? gap / 3 : 1) {
        for (int i = gap; i < count; i++) {
            Made one = made[i];
            int j = i;
            for (; j >= gap && made[j - gap] < one; j -= gap) made[j] = made[j - gap];
            made[j] = one;
        }
        if (gap == 1) return;
    }
}

/* Make the first `wanted` be in order, or all there are. */
static inline int in_falling_order(Falling *fives, int wanted) {
    while (fives->sorted <= wanted && fives->next < BUCKETS) {
        int from = fives->start[fives->next], to = fives->start[fives->next + 1];
        if (to > from) sort_falling(fives->made + from, to - from);
        fives->sorted = to;
        fives->next++;
    }
    return wanted < fives->count;
}

/* The next that shares no card with those taken, or one soon before it. */
VECTORS
static int next_apart(const Made *made, int from, int to, uint32_t taken) {
    for (; from + STEP < to; from += STEP) {
        int apart = 0;
        for (int i = 0; i < STEP; i++) apart |= (made[from + i] & taken) == 0;
        if (apart) break;
    }
    while (from + 1 < to && (made[from] & taken)) from++;
    return from;
}

static void list_fives(const uint8_t *cards, int count, Falling *fives) {
    static _Thread_local Made unsorted[MOST_FIVES];
    int sizes[BUCKETS] = {0}, found = 0;
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++) {
            uint32_t two = tables.code[cards[a]] + tables.code[cards[b]], takes = 1u << a | 1u << b;
            for (int c = b + 1; c < count; c++)
                for (int d = c + 1; d < count; d++) {
                    uint32_t four = two + tables.code[cards[c]] + tables.code[cards[d]];
                    uint32_t taken = takes | 1u << c | 1u << d;
                    for (int e = d + 1; e < count; e++) {
                        int strength = strength_of_five(four + tables.code[cards[e]]);
                        unsorted[found++] = (Made)strength << 17 | taken | 1u << e;
                        sizes[BUCKETS - 1 - (strength >> BUCKET_BITS)]++;
                    }
                }
        }
    int place = 0;
    int at[BUCKETS];
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
        fives->start[bucket] = at[bucket] = place;
        place += sizes[bucket];
    }
    fives->start[BUCKETS] = place;
    for (int i = 0; i < found; i++) fives->made[at[BUCKETS - 1 - (MADE_STRENGTH(unsorted[i]) >> BUCKET_BITS)]++] = unsorted[i];
    fives->count = found;
    fives->sorted = fives->next = 0;
}

static int list_threes(const uint8_t *cards, int count, Made *threes) {
    int found = 0;
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++)
            for (int c = b + 1; c < count; c++) {
                uint32_t code = (tables.code[cards[a]] & KEY_MASK) + (tables.code[cards[b]] & KEY_MASK) +
                                (tables.code[cards[c]] & KEY_MASK);
                threes[found++] = (Made)tables.three[code] << 17 | 1u << a | 1u << b | 1u << c;
            }
    sort_falling(threes, found);
    return found;
}

/* The cards of a layout, as their keys, and what every three of them make. */
typedef struct {
    int count;
    uint32_t key[17];
} Keys;

#define NO_TOP 0

/* The strongest three of the cards not used that is at most so strong. */
static Made best_top(const Keys *keys, uint32_t used, int most) {
    uint32_t key[7], place[7];
    int left = 0, best = -1;
    uint32_t taken = 0;
    for (uint32_t set = ~used & ((1u << keys->count) - 1); set; set &= set - 1, left++) {
        place[left] = (uint32_t)__builtin_ctz(set);
        key[left] = keys->key[place[left]];
    }
    for (int a = 0; a < left; a++)
        for (int b = a + 1; b < left; b++)
            for (int c = b + 1; c < left; c++) {
                int strength = tables.three[key[a] + key[b] + key[c]];
                if (strength <= best || strength > most) continue;
                best = strength;
                taken = 1u << place[a] | 1u << place[b] | 1u << place[c];
            }
    return best < 0 ? NO_TOP : (Made)best << 17 | taken;
}

/* Look for a better board whose rows are at least so strong, where each is worth `bonus` more than its rows. */
static void search_boards(const Wishes *wishes, const Keys *hand, Falling *fives, const Made *threes, int count, const int least[3],
                          float bonus, Layout *best) {
    const float *top_worth = wishes->worth[0], *middle_worth = wishes->worth[1], *bottom_worth = wishes->worth[2];
    /* What lies below a row is at least as strong. */
    int least_middle = least[1] > least[0] ? least[1] : least[0];
    int least_bottom = least[2] > least_middle ? least[2] : least_middle;
    int first = 0; /* the strongest top that may lie above this bottom: it only falls with the bottom */
    for (int low = 0; in_falling_order(fives, low); low++) {
        Made bottom = fives->made[low];
        int made_bottom = MADE_STRENGTH(bottom);
        if (made_bottom < least_bottom) return;
        while (first < count && MADE_STRENGTH(threes[first]) > made_bottom) first++;
        if (first == count || MADE_STRENGTH(threes[first]) < least[0]) return;
        float below = bottom_worth[made_bottom] + bonus;
        float most_top = top_worth[MADE_STRENGTH(threes[first])];
        if (best->found && below + middle_worth[made_bottom] + most_top <= best->value) return;
        /* Equal strengths lie beside each other: a middle may come before its bottom in the list. */
        int mid = low, high = first;
        while (mid > 0 && MADE_STRENGTH(fives->made[mid - 1]) == made_bottom) mid--;
        for (; in_falling_order(fives, mid); mid++) {
            mid = next_apart(fives->made, mid, fives->sorted, MADE_TAKEN(bottom));
            Made middle = fives->made[mid];
            int made_middle = MADE_STRENGTH(middle);
            if (made_middle < least_middle) break;
            float so_far = below + middle_worth[made_middle];
            if (best->found && so_far + most_top <= best->value) break;
            if (MADE_TAKEN(middle) & MADE_TAKEN(bottom) || (wishes->strict && made_middle >= made_bottom)) continue;
            /* The strongest top that shares no card with the bottom and may lie on this middle. */
            while (high < count && ((MADE_TAKEN(threes[high]) & MADE_TAKEN(bottom)) ||
                                    MADE_STRENGTH(threes[high]) > made_middle - wishes->strict))
                high++;
            if (high == count || MADE_STRENGTH(threes[high]) < least[0]) break;
            most_top = top_worth[MADE_STRENGTH(threes[high])];
            if (best->found && so_far + most_top <= best->value) break;
            Made top = best_top(hand, MADE_TAKEN(middle) | MADE_TAKEN(bottom), made_middle - wishes->strict);
            float value = so_far + top_worth[MADE_STRENGTH(top)];
            if (top == NO_TOP || MADE_STRENGTH(top) < least[0] || (best->found && value <= best->value)) continue;
            best->found = 1;
            best->value = value;
            best->taken[0] = MADE_TAKEN(top);
            best->taken[1] = MADE_TAKEN(middle);
            best->taken[2] = MADE_TAKEN(bottom);
        }
    }
}

static Layout lay_fantasyland(const Wishes *wishes, const uint8_t *cards, int count) {
    static _Thread_local Falling fives;
    static _Thread_local Made threes[MOST_THREES];
    Layout best = {0};
    Keys hand = {count, {0}};
    for (int i = 0; i < count; i++) hand.key[i] = tables.code[cards[i]] & KEY_MASK;
    int tops = list_threes(cards, count, threes);
    list_fives(cards, count, &fives);
    const int any[3] = {0, 0, 0};
    search_boards(wishes, &hand, &fives, threes, tops, any, 0, &best);
    if (wishes->stay > 0) {
        int strongest = in_falling_order(&fives, 0) ? MADE_STRENGTH(fives.made[0]) : 0;
        const int needs[4][3] = {{wishes->least_trips, 0, 0},
                                 {0, wishes->least_full_house, 0},
                                 {0, wishes->least_quads, 0},
                                 {0, 0, wishes->least_quads}};
        for (int condition = 0; condition < 4; condition++) {
            const int *least = needs[condition];
            int possible = least[1] <= strongest && least[2] <= strongest;
            if ((wishes->stays >> condition & 1) && possible)
                search_boards(wishes, &hand, &fives, threes, tops, least, wishes->stay, &best);
        }
    }
    return best;
}

#endif
