/* Fantasyland, exactly: thirteen to seventeen cards, and the board in order whose rows are worth most.

   Every three and every five of the cards are looked up once. They are put into falling order in buckets, each of which is
   sorted only when the search comes to it; and the search stops where nothing below can be worth more. */

#ifndef ANANAS_FANTASYLAND_H
#define ANANAS_FANTASYLAND_H

#include "cards.h"

#define MOST_FIVES 6188 /* fives of seventeen cards */
#define MOST_THREES 680
#define STEP 32      /* so many are looked at together */
#define LOOKS 24     /* so many tops are looked at before all that are left are counted */
#define BUCKET_BITS 3
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

/* Every three or every five of the cards. */
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

static __attribute__((noinline)) void sort_on(Falling *falling, int wanted) {
    while (falling->sorted <= wanted && falling->next < BUCKETS) {
        int from = falling->start[falling->next], to = falling->start[falling->next + 1];
        if (to > from + 1) sort_falling(falling->made + from, to - from);
        falling->sorted = to;
        falling->next++;
    }
}

/* Make the first `wanted` be in order, or all there are. */
static inline int in_falling_order(Falling *falling, int wanted) {
    if (falling->sorted <= wanted) sort_on(falling, wanted);
    return wanted < falling->count;
}

/* The next that shares no card with those taken, or the last. */
INLINE int next_apart(const Made *made, int from, int to, uint32_t taken) {
    for (; from + STEP < to; from += STEP) {
        uint32_t apart = 0;
        for (int i = 0; i < STEP; i++) apart |= made[from + i] & taken ? 0 : 1u << i;
        if (apart) return from + __builtin_ctz(apart);
    }
    while (from + 1 < to && (made[from] & taken)) from++;
    return from;
}

/* The cards of a layout, as their keys. */
typedef struct {
    int count;
    uint32_t key[17];
} Keys;

static void into_buckets(const Made *unsorted, int count, Falling *falling) {
    int sizes[BUCKETS] = {0}, at[BUCKETS];
    for (int i = 0; i < count; i++) sizes[BUCKETS - 1 - (MADE_STRENGTH(unsorted[i]) >> BUCKET_BITS)]++;
    int place = 0;
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
        falling->start[bucket] = at[bucket] = place;
        place += sizes[bucket];
    }
    falling->start[BUCKETS] = place;
    for (int i = 0; i < count; i++) falling->made[at[BUCKETS - 1 - (MADE_STRENGTH(unsorted[i]) >> BUCKET_BITS)]++] = unsorted[i];
    falling->count = count;
    falling->sorted = falling->next = 0;
}

static void list_fives(const uint8_t *cards, int count, Falling *fives) {
    Made unsorted[MOST_FIVES];
    uint32_t code[17];
    int found = 0;
    for (int i = 0; i < count; i++) code[i] = tables.code[cards[i]];
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++)
            for (int c = b + 1; c < count; c++) {
                uint32_t three = code[a] + code[b] + code[c], takes = 1u << a | 1u << b | 1u << c;
                for (int d = c + 1; d < count; d++) {
                    uint32_t four = three + code[d], taken = takes | 1u << d;
                    for (int e = d + 1; e < count; e++)
                        unsorted[found++] = (Made)strength_of_five(four + code[e]) << 17 | taken | 1u << e;
                }
            }
    into_buckets(unsorted, found, fives);
}

static void list_threes(const Keys *hand, Falling *threes) {
    Made unsorted[MOST_THREES] = {0};
    int found = 0;
    for (int a = 0; a < hand->count; a++)
        for (int b = a + 1; b < hand->count; b++) {
            uint32_t two = hand->key[a] + hand->key[b], taken = 1u << a | 1u << b;
            for (int c = b + 1; c < hand->count; c++)
                unsorted[found++] = (Made)tables.three[two + hand->key[c]] << 17 | taken | 1u << c;
        }
    into_buckets(unsorted, found, threes);
}

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

/* Whether a three of the cards not used, from the strongest that may lie there on, may be worth enough. It need not be
   certain: after a few looks all threes of the cards that are left are quicker to go through. */
static inline int may_have_top(Falling *threes, int from, uint32_t used, const float *worth, float so_far, float least_value) {
    for (int look = from; look < from + LOOKS; look++) {
        if (!in_falling_order(threes, look) || so_far + worth[MADE_STRENGTH(threes->made[look])] <= least_value) return 0;
        if (!(threes->made[look] & used)) return 1;
    }
    return 1;
}

/* Look for a better board whose rows are at least so strong, where each is worth `bonus` more than its rows. */
VECTORS
static void search_boards(const Wishes *wishes, const Keys *hand, Falling *fives, Falling *threes, const int least[3],
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
        while (in_falling_order(threes, first) && MADE_STRENGTH(threes->made[first]) > made_bottom) first++;
        if (first == threes->count || MADE_STRENGTH(threes->made[first]) < least[0]) return;
        float below = bottom_worth[made_bottom] + bonus;
        float most_top = top_worth[MADE_STRENGTH(threes->made[first])];
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
            while (in_falling_order(threes, high) && ((MADE_TAKEN(threes->made[high]) & MADE_TAKEN(bottom)) ||
                                                      MADE_STRENGTH(threes->made[high]) > made_middle - wishes->strict))
                high++;
            if (high == threes->count || MADE_STRENGTH(threes->made[high]) < least[0]) break;
            most_top = top_worth[MADE_STRENGTH(threes->made[high])];
            if (best->found && so_far + most_top <= best->value) break;
            uint32_t used = MADE_TAKEN(middle) | MADE_TAKEN(bottom);
            if (best->found && !may_have_top(threes, high, used, top_worth, so_far, best->value)) continue;
            Made top = best_top(hand, used, made_middle - wishes->strict);
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
    Falling fives, threes;
    Layout best = {0};
    Keys hand = {count, {0}};
    for (int i = 0; i < count; i++) hand.key[i] = tables.code[cards[i]] & KEY_MASK;
    list_threes(&hand, &threes);
    list_fives(cards, count, &fives);
    const int any[3] = {0, 0, 0};
    search_boards(wishes, &hand, &fives, &threes, any, 0, &best);
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
                search_boards(wishes, &hand, &fives, &threes, least, wishes->stay, &best);
        }
    }
    return best;
}

#endif
