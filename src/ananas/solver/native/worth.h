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

/* One row that takes a card, or none, for every card to come: what it then makes, earns and wins. */
typedef struct {
    int made[MOST_UNSEEN];
    float earned[MOST_UNSEEN], won[OTHERS][MOST_UNSEEN], lost[OTHERS][MOST_UNSEEN];
} Side;

static void fill_side(const Worth *worth, int row, const int *made, int count, Side *side) {
    for (int i = 0; i < count; i++) {
        side->made[i] = made[i];
        side->earned[i] = worth->royalty[row][made[i]] + (row ? 0 : worth->fantasyland[entry_of(worth, made[i])]);
        for (int o = 0; o < worth->others; o++) {
            const Other *other = &worth->other[o];
            side->won[o][i] = other->win ? other->win[row * STRENGTHS + made[i]] : (float)(made[i] > other->made[row]);
            side->lost[o][i] = other->win ? other->lose[row * STRENGTHS + made[i]] : (float)(made[i] < other->made[row]);
        }
    }
}

/* What one row of `a` and every row of `b` come to, beside a third that is full: as value_of, for many at once. */
VECTORS
static void value_pairs(const Worth *worth, int a_row, const Side *a, int one, int b_row, const Side *b, const Side *full,
                        int from, int count, float *restrict out) {
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

/* The sum, over every three, of the best of its three pairs. */
VECTORS
static double sum_of_best(float (*best)[MOST_UNSEEN], int count) {
    float sums[MOST_UNSEEN] = {0};
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++) {
            float pair = best[i][j];
            const float *restrict a = best[i], *restrict b = best[j];
            for (int k = j + 1; k < count; k++) {
                float most = a[k] > b[k] ? a[k] : b[k];
                sums[k] += most > pair ? most : pair;
            }
        }
    double total = 0;
    for (int k = 0; k < count; k++) total += (double)sums[k];
    return total;
}

/* The mean, over every three of the cards to come, of the best that two of them make of a board with two free places.
   With `parts` the parts are told as well, of the best two in each three. */
static float mean_of_draws(const Worth *worth, const Row rows[3], const uint8_t *cards, int count, float *parts) {
    static _Thread_local float best[MOST_UNSEEN][MOST_UNSEEN];
    static _Thread_local float detail[MOST_UNSEEN][MOST_UNSEEN][PARTS];
    int first = -1, second = -1, made[3] = {0, 0, 0};
    for (int row = 0; row < 3; row++) {
        int free = rows[row].size - rows[row].cards;
        if (free == 0) made[row] = strength_of_row(&rows[row]);
        for (; free > 0; free--) *(first < 0 ? &first : &second) = row;
    }
    if (first == second) {
        for (int i = 0; i < count; i++)
            for (int j = i + 1; j < count; j++) {
                uint32_t code = rows[first].code + tables.code[cards[i]] + tables.code[cards[j]];
                made[first] = rows[first].size == 3 ? strength_of_three(code) : strength_of_five(code);
                best[i][j] = value_of(worth, made[0], made[1], made[2], parts ? detail[i][j] : NULL);
            }
    } else {
        int one[MOST_UNSEEN], two[MOST_UNSEEN];
        for (int i = 0; i < count; i++) {
            uint32_t code = rows[first].code + tables.code[cards[i]];
            one[i] = rows[first].size == 3 ? strength_of_three(code) : strength_of_five(code);
            two[i] = strength_of_five(rows[second].code + tables.code[cards[i]]);
        }
        if (!parts && !worth->line_winner && !worth->two_four) {
            static _Thread_local Side a, b, full;
            float other_way[MOST_UNSEEN];
            int third = 3 - first - second;
            fill_side(worth, first, one, count, &a);
            fill_side(worth, second, two, count, &b);
            fill_side(worth, third, &made[third], 1, &full);
            for (int i = 0; i < count; i++) {
                value_pairs(worth, first, &a, i, second, &b, &full, i + 1, count, best[i]);
                value_pairs(worth, second, &b, i, first, &a, &full, i + 1, count, other_way);
                for (int j = i + 1; j < count; j++) best[i][j] = best[i][j] > other_way[j] ? best[i][j] : other_way[j];
            }
            return (float)(sum_of_best(best, count) / ((double)count * (count - 1) * (count - 2) / 6));
        }
        for (int i = 0; i < count; i++)
            for (int j = i + 1; j < count; j++) {
                float other_parts[PARTS];
                made[first] = one[i], made[second] = two[j];
                float a = value_of(worth, made[0], made[1], made[2], parts ? detail[i][j] : NULL);
                made[first] = one[j], made[second] = two[i];
                float b = value_of(worth, made[0], made[1], made[2], parts ? other_parts : NULL);
                if (parts && b > a) memcpy(detail[i][j], other_parts, sizeof other_parts);
                best[i][j] = b > a ? b : a;
            }
    }
    double total = 0, sums[PARTS] = {0};
    if (!parts) total = sum_of_best(best, count);
    for (int i = 0; parts && i < count; i++)
        for (int j = i + 1; j < count; j++) {
            float pair = best[i][j];
            for (int k = j + 1; k < count; k++) {
                const float *chosen = detail[i][j];
                float most = pair;
                if (best[i][k] > most) most = best[i][k], chosen = detail[i][k];
                if (best[j][k] > most) most = best[j][k], chosen = detail[j][k];
                total += (double)most;
                for (int part = 0; part < PARTS; part++) sums[part] += (double)chosen[part];
            }
        }
    double draws = (double)count * (count - 1) * (count - 2) / 6;
    for (int part = 0; parts && part < PARTS; part++) parts[part] = (float)(sums[part] / draws);
    return (float)(total / draws);
}

#endif
