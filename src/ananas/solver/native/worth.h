/* What a full board is worth, by the strengths of its rows: in points against one opponent, the mean where there are
   several. Everything that depends on the rules of a table comes in from Python (solver/worth.py). */

#ifndef ANANAS_WORTH_H
#define ANANAS_WORTH_H

#include "cards.h"

/* Parts of a worth: each is an expectation, and each net tells all of them. */
enum { ROYALTIES, FOUL, QUEENS, KINGS, ACES, TRIPS, LINES, PARTS };
#define ENTRIES 4
#define OTHERS 3

/* An opponent: his full board, or, where `win` is not null, how often his rows lose and win against each strength. */
typedef struct {
    float foul;                 /* how often his board is dead */
    const float *win, *lose;    /* three tables each, one after the other */
    int made[3];
} Other;

typedef struct {
    float foul_points, fantasyland[ENTRIES + 1];
    int strict, line_winner, two_four;
    const float *royalty[3];
    const float *entry; /* 0, or 1 + which of the four, by the strength on top */
    int others;
    Other other[OTHERS];
} Worth;

static inline int in_order(const Worth *worth, int top, int middle, int bottom) {
    return worth->strict ? top < middle && middle < bottom : top <= middle && middle <= bottom;
}

/* Which entry a top is; whatever the table says, no other than the four can be reached. */
static inline int entry_of(const Worth *worth, int top) {
    float told = worth->entry[top];
    return told >= 1 && told <= ENTRIES ? (int)told : 0;
}

/* Lines and scoop against one opponent whose board is not dead; rows are independent of each other where only their
   chances are known. `won` gets the chance that each row wins. */
static inline float lines_against(const Worth *worth, const Other *other, const int made[3], float won[3]) {
    float lost[3], sum = 0;
    for (int row = 0; row < 3; row++) {
        if (other->win) {
            won[row] = other->win[row * STRENGTHS + made[row]];
            lost[row] = other->lose[row * STRENGTHS + made[row]];
        } else {
            won[row] = made[row] > other->made[row];
            lost[row] = made[row] < other->made[row];
        }
        sum += won[row] - lost[row];
    }
    float all = won[0] * won[1] * won[2], none = lost[0] * lost[1] * lost[2];
    if (!worth->two_four) return sum + 3 * (all - none);
    float two = won[0] * won[1] + won[0] * won[2] + won[1] * won[2] - 2 * all;
    float lost_two = lost[0] * lost[1] + lost[0] * lost[2] + lost[1] * lost[2] - 2 * none;
    return sum + two - lost_two;
}

static inline float value_of(const Worth *worth, int top, int middle, int bottom, float *parts) {
    const int made[3] = {top, middle, bottom};
    int dead = !in_order(worth, top, middle, bottom);
    float lines = 0, royalties = 0, price = worth->foul_points;
    float earned[3] = {0, 0, 0};
    if (!dead)
        for (int row = 0; row < 3; row++) royalties += earned[row] = worth->royalty[row][made[row]];
    if (worth->others) {
        float share = 1.0f / (float)worth->others, kept = 0;
        for (int i = 0; i < worth->others; i++) {
            const Other *other = &worth->other[i];
            if (dead) {
                lines += share * price * other->foul; /* both dead: nothing is paid */
                continue;
            }
            float won[3];
            float alive = 1 - other->foul;
            lines += share * (price * other->foul + alive * lines_against(worth, other, made, won));
            if (worth->line_winner)
                for (int row = 0; row < 3; row++) kept += share * earned[row] * (other->foul + alive * won[row]);
        }
        if (worth->line_winner) royalties = kept;
    }
    int entry = dead ? 0 : entry_of(worth, top);
    if (parts) {
        memset(parts, 0, PARTS * sizeof *parts);
        parts[ROYALTIES] = royalties;
        parts[FOUL] = (float)dead;
        if (entry) parts[QUEENS + entry - 1] = 1;
        parts[LINES] = lines;
    }
    return royalties + lines + worth->fantasyland[entry] - (dead ? price : 0);
}

/* -- street 4: two places free, and three cards to come of which two are laid */

#define MOST_UNSEEN 48
#define ABREAST 8 /* what is done for many cards is done for so many at a time; there is room for whole eights */
#define EIGHTS(count) (((count) + ABREAST - 1) / ABREAST * ABREAST)

/* One row that takes a card, or none, for every card to come: what it then makes, earns and wins. */
typedef struct {
    int made[MOST_UNSEEN];
    float earned[MOST_UNSEEN], won[OTHERS][MOST_UNSEEN], lost[OTHERS][MOST_UNSEEN];
} Side;

static inline void fill_side(const Worth *worth, int row, const int *made, int from, int count, Side *side) {
    const float *royalty = worth->royalty[row];
    memcpy(side->made + from, made + from, (size_t)(count - from) * sizeof *made);
    for (int i = from; i < count; i++) side->earned[i] = royalty[made[i]];
    for (int i = from; row == 0 && i < count; i++) side->earned[i] += worth->fantasyland[entry_of(worth, made[i])];
    for (int o = 0; o < worth->others; o++) {
        const Other *other = &worth->other[o];
        if (other->win) {
            const float *win = other->win + row * STRENGTHS, *lose = other->lose + row * STRENGTHS;
            for (int i = from; i < count; i++) side->won[o][i] = win[made[i]], side->lost[o][i] = lose[made[i]];
        } else {
            int against = other->made[row];
            for (int i = from; i < count; i++)
                side->won[o][i] = (float)(made[i] > against), side->lost[o][i] = (float)(made[i] < against);
        }
    }
}

/* What one row of `a` and every row of `b` come to, beside a third that is full: as value_of, for many at once. */
INLINE void value_pairs(const Worth *worth, int a_row, const Side *a, int one,
                                                              int b_row, const Side *b, const Side *full, int from,
                                                              int count, float *restrict out) {
    float share = worth->others ? 1.0f / (float)worth->others : 0, price = worth->foul_points, dead = price;
    int full_row = 3 - a_row - b_row, strict = worth->strict, made = a->made[one];
    for (int j = from; j < count; j++) out[j] = a->earned[one] + full->earned[0] + b->earned[j];
    for (int o = 0; o < worth->others; o++) {
        float foul = worth->other[o].foul, alive = share * (1 - foul), bonus = share * foul * price;
        float won = a->won[o][one], lost = a->lost[o][one], third = full->won[o][0], lost_third = full->lost[o][0];
        float sum = won - lost + third - lost_third, all = 3 * won * third, none = 3 * lost * lost_third;
        const float *restrict wins = b->won[o], *restrict loses = b->lost[o];
        dead -= share * price * foul;
        for (int j = from; j < count; j++)
            out[j] += bonus + alive * (sum + wins[j] - loses[j] + all * wins[j] - none * loses[j]);
    }
    /* Each pair of rows is in order, or the board is dead. */
    int least = -1, most = STRENGTHS + 1;
    if (full_row > a_row && full->made[0] - strict < made) least = STRENGTHS + 1;
    if (full_row < a_row && made - strict < full->made[0]) least = STRENGTHS + 1;
    if (b_row > a_row && made + strict > least) least = made + strict;
    if (b_row < a_row && made - strict < most) most = made - strict;
    if (b_row > full_row && full->made[0] + strict > least) least = full->made[0] + strict;
    if (b_row < full_row && full->made[0] - strict < most) most = full->made[0] - strict;
    for (int j = from; j < count; j++) out[j] = b->made[j] < least || b->made[j] > most ? -dead : out[j];
}

/* The best of both ways to lay every two of the cards to come in two rows with a free place each. */
VECTORS
static void best_in_two_rows(const Worth *worth, int first, const Side *a, int second, const Side *b, const Side *full,
                             int count, float (*best)[MOST_UNSEEN]) {
    float other_way[MOST_UNSEEN];
    int end = EIGHTS(count);
    for (int i = 0; i < count; i++) {
        int from = (i + 1) / ABREAST * ABREAST;
        float *restrict row = best[i];
        value_pairs(worth, first, a, i, second, b, full, from, end, row);
        value_pairs(worth, second, b, i, first, a, full, from, end, other_way);
        for (int j = from; j < end; j++) row[j] = row[j] > other_way[j] ? row[j] : other_way[j];
    }
}

/* What every two of the cards to come make of a row with two free places, beside two that are full. */
VECTORS
static void best_in_one_row(const Worth *worth, const Row *row, int place, const int made[3], const uint8_t *cards, int count,
                            float (*best)[MOST_UNSEEN]) {
    Side side, full[2];
    int strengths[MOST_UNSEEN] = {0}, above = place == 0, under = 3 - place - above, end = EIGHTS(count);
    uint32_t code[MOST_UNSEEN];
    for (int i = 0; i < count; i++) code[i] = tables.code[cards[i]];
    fill_side(worth, above, &made[above], 0, 1, &full[0]);
    fill_side(worth, under, &made[under], 0, 1, &full[1]);
    for (int i = 0; i < count; i++) {
        int from = (i + 1) / ABREAST * ABREAST;
        uint32_t so_far = row->code + code[i];
        if (place == 0)
            for (int j = i + 1; j < count; j++) strengths[j] = strength_of_three(so_far + code[j]);
        else
            for (int j = i + 1; j < count; j++) strengths[j] = strength_of_five(so_far + code[j]);
        fill_side(worth, place, strengths, from, end, &side);
        value_pairs(worth, above, &full[0], 0, place, &side, &full[1], from, end, best[i]);
    }
}

/* The sum, over every three, of the best of its three pairs: eight of the last of the three at a time. The compiler is
   kept from taking the loops of eight apart, which it would not put together again. */
VECTORS
static double sum_of_best(float (*best)[MOST_UNSEEN], int count) {
    double total = 0;
    for (int block = 0; block < count; block += ABREAST) {
        Eight sums = {0}, more = {0};
        int last = block + ABREAST < count ? block + ABREAST : count;
        for (int i = 0; i < last; i++) {
            const float *restrict pairs = best[i], *restrict a = pairs + block;
            float most[ABREAST], next[ABREAST];
            int j = i + 1;
            for (; j + 1 < block; j += 2) {
                const float *restrict b = best[j] + block, *restrict c = best[j + 1] + block;
                float pair = pairs[j], other = pairs[j + 1];
#pragma GCC unroll 1
                for (int k = 0; k < ABREAST; k++) {
                    float one = a[k] > b[k] ? a[k] : b[k], two = a[k] > c[k] ? a[k] : c[k];
                    most[k] = one > pair ? one : pair;
                    next[k] = two > other ? two : other;
                }
                sums += *(const Eight *)most;
                more += *(const Eight *)next;
            }
            for (; j < last; j++) {
                const float *restrict b = best[j] + block;
                float pair = pairs[j];
#pragma GCC unroll 1
                for (int k = 0; k < ABREAST; k++) {
                    float one = a[k] > b[k] ? a[k] : b[k];
                    one = one > pair ? one : pair;
                    most[k] = block + k > j ? one : 0;
                }
                sums += *(const Eight *)most;
            }
        }
        sums += more;
        for (int k = 0; block + k < last; k++) total += (double)sums[k];
    }
    return total;
}

/* Two cards to come, and what they make of the board in the better way to lay them. */
typedef struct {
    uint32_t rising; /* a number that rises as the value falls */
    uint8_t one, two;
    int16_t made[3];
    float value;
} Pair;

static inline uint32_t rising_as_it_falls(float value) {
    uint32_t bits;
    value += 0.0f; /* nothing below nothing is nothing */
    memcpy(&bits, &value, sizeof bits);
    return bits >> 31 ? bits : ~bits & 0x7FFFFFFF;
}

/* Put pairs into falling order of value, equal ones as they were. */
static void sort_pairs(const Pair *pairs, int count, uint16_t *order) {
    uint16_t other[MOST_UNSEEN * MOST_UNSEEN / 2], *from = order, *to = other;
    for (int i = 0; i < count; i++) order[i] = (uint16_t)i;
    for (int shift = 0; shift < 32; shift += 8) {
        int at[257] = {0};
        for (int i = 0; i < count; i++) at[(pairs[i].rising >> shift & 255) + 1]++;
        if (at[(pairs[0].rising >> shift & 255) + 1] == count) continue;
        for (int byte = 0; byte < 255; byte++) at[byte + 1] += at[byte];
        for (int i = 0; i < count; i++) to[at[pairs[from[i]].rising >> shift & 255]++] = from[i];
        uint16_t *swap = from;
        from = to, to = swap;
    }
    if (from != order) memcpy(order, from, (size_t)count * sizeof *order);
}

/* The mean and its parts. From the best pair down, each is what is laid of every three that it is in with no better one. */
VECTORS
static float mean_in_parts(const Worth *worth, const Pair *pairs, int count, float *parts) {
    uint16_t order[MOST_UNSEEN * MOST_UNSEEN / 2];
    uint64_t better[MOST_UNSEEN] = {0}; /* with which other cards a card was in a pair by now */
    uint64_t every = (1ull << count) - 1;
    double total = 0, sums[PARTS] = {0}, draws = (double)count * (count - 1) * (count - 2) / 6, left = draws;
    int found = count * (count - 1) / 2;
    sort_pairs(pairs, found, order);
    for (int i = 0; i < found && left > 0; i++) {
        const Pair *pair = &pairs[order[i]];
        better[pair->one] |= 1ull << pair->two, better[pair->two] |= 1ull << pair->one;
        uint64_t thirds = every & ~(better[pair->one] | better[pair->two]);
        if (!thirds) continue;
        double times = __builtin_popcountll(thirds);
        float detail[PARTS];
        value_of(worth, pair->made[0], pair->made[1], pair->made[2], detail);
        for (int part = 0; part < PARTS; part++) sums[part] += times * (double)detail[part];
        total += times * (double)pair->value;
        left -= times;
    }
    for (int part = 0; part < PARTS; part++) parts[part] = (float)(sums[part] / draws);
    return (float)(total / draws);
}

/* The mean, over every three of the cards to come, of the best that two of them make of a board with two free places.
   With `parts` the parts are told as well, of the best two in each three. */
static float mean_of_draws(const Worth *worth, const Row rows[3], const uint8_t *cards, int count, float *parts) {
    int first = -1, second = -1, made[3] = {0, 0, 0};
    for (int row = 0; row < 3; row++) {
        int free = rows[row].size - rows[row].cards;
        if (free == 0) made[row] = strength_of_row(&rows[row]);
        for (; free > 0; free--) *(first < 0 ? &first : &second) = row;
    }
    int one[MOST_UNSEEN] = {0}, two[MOST_UNSEEN] = {0};
    for (int i = 0; first != second && i < count; i++) {
        uint32_t code = rows[first].code + tables.code[cards[i]];
        one[i] = rows[first].size == 3 ? strength_of_three(code) : strength_of_five(code);
        two[i] = strength_of_five(rows[second].code + tables.code[cards[i]]);
    }
    if (!parts && !worth->line_winner && !worth->two_four) {
        float best[MOST_UNSEEN][MOST_UNSEEN];
        if (first == second) {
            best_in_one_row(worth, &rows[first], first, made, cards, count, best);
        } else {
            Side a, b, full;
            int third = 3 - first - second;
            fill_side(worth, first, one, 0, EIGHTS(count), &a);
            fill_side(worth, second, two, 0, EIGHTS(count), &b);
            fill_side(worth, third, &made[third], 0, 1, &full);
            best_in_two_rows(worth, first, &a, second, &b, &full, count, best);
        }
        return (float)(sum_of_best(best, count) / ((double)count * (count - 1) * (count - 2) / 6));
    }
    Pair pairs[MOST_UNSEEN * MOST_UNSEEN / 2], *pair = pairs;
    float unused[PARTS];
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++, pair++) {
            if (first == second) {
                uint32_t code = rows[first].code + tables.code[cards[i]] + tables.code[cards[j]];
                made[first] = rows[first].size == 3 ? strength_of_three(code) : strength_of_five(code);
                pair->value = value_of(worth, made[0], made[1], made[2], NULL);
            } else {
                made[first] = one[j], made[second] = two[i];
                float turned = value_of(worth, made[0], made[1], made[2], NULL);
                made[first] = one[i], made[second] = two[j];
                pair->value = value_of(worth, made[0], made[1], made[2], NULL);
                if (turned > pair->value) pair->value = turned, made[first] = one[j], made[second] = two[i];
            }
            pair->one = (uint8_t)i, pair->two = (uint8_t)j;
            pair->rising = rising_as_it_falls(pair->value);
            for (int row = 0; row < 3; row++) pair->made[row] = (int16_t)made[row];
        }
    return mean_in_parts(worth, pairs, count, parts ? parts : unused);
}

#endif
