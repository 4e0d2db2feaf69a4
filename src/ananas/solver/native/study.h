/* Examples for the nets: hands that they play against each other, and what each unfinished board in them came to.

   A board's worth is not read off the one hand it was met in. From street 4 it is the exact mean over what may come; from
   earlier streets the nets play on a few times to street 4. The opponent is the one of that hand: what the board's owner
   saw of him is a feature, what he ended with is what lines are counted against. */

#ifndef ANANAS_STUDY_H
#define ANANAS_STUDY_H

#include "play.h"

typedef struct {
    uint16_t *features; /* MOST_FEATURES each, filled up with FEATURES */
    float *dense;       /* DENSE each */
    float *parts;       /* PARTS each */
    uint8_t *street;    /* from 1 to 4 */
    int count, room;
    int wanted;         /* which streets, as bits: 1 for the first */
} Examples;

/* How a board of street 4 is chosen from the best few by the net, and what it is worth: exactly. */
static float exact_street_four(const Nets *nets, const Worth *worth, Seat *seat, const uint8_t *dealt, int kind,
                               const Row *other, uint64_t gone, int tries, float *parts) {
    Choice choices[MOST_PLACEMENTS];
    float told[MOST_TOLD][TOLD];
    uint8_t cards[52];
    for (int i = 0; i < DEALT[3]; i++) seat->unseen &= ~(1ull << dealt[i]);
    int found = list_choices(seat->rows, DEALT[3], LAID[3], choices);
    if (nets->street[3]) {
        Setting setting;
        prepare(nets->street[3], worth, seat->unseen, kind, other, &setting);
        judge_choices(nets->street[3], worth, &setting, seat->rows, dealt, choices, found, told);
    } else {
        memset(told, 0, sizeof told);
        tries = found;
    }
    int count = cards_of(seat->unseen & ~gone, cards);
    Row best[3];
    float most = -1e9f;
    for (int t = 0; t < tries && t < found; t++) {
        int one = best_of(told, found);
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

/* Play on from after `street` to street 4 and tell what the board is worth there; `gone` cannot come. */
static float play_out(const Nets *nets, const Worth *worth, const Seat *start, int street, int kind, const Row *other,
                      uint64_t gone, int tries, Chance *chance, float *parts) {
    Seat seat = *start;
    uint8_t cards[52];
    int count = cards_of(seat.unseen & ~gone, cards);
    draw(chance, cards, count, 3 * (3 - street));
    for (int next = street + 1, at = 0; next < 3; next++, at += 3)
        play_street(nets, worth, &seat, next, cards + at, kind, other, 0, chance);
    return exact_street_four(nets, worth, &seat, cards + 3 * (2 - street), kind, other, gone, tries, parts);
}

static void random_worth(Worth *worth, Chance *chance) {
    static const float MORE[ENTRIES] = {0, 5, 9, 13};
    uint32_t kind = below(chance, 10);
    float first = kind < 6 ? 6 + (float)below(chance, 100) / 10 : kind < 9 ? 5 + (float)below(chance, 200) / 10 : 0;
    float steps = kind > 3 && kind < 8 ? 1 : 0;
    worth->fantasyland[0] = 0;
    for (int entry = 0; entry < ENTRIES; entry++) worth->fantasyland[entry + 1] = first + steps * MORE[entry];
}

static Choice random_street(Seat *seat, int street, const uint8_t *dealt, Chance *chance) {
    Choice choices[MOST_PLACEMENTS];
    for (int i = 0; i < DEALT[street]; i++) seat->unseen &= ~(1ull << dealt[i]);
    int count = list_choices(seat->rows, DEALT[street], LAID[street], choices);
    Choice chosen = choices[below(chance, (uint32_t)count)];
    lay_choice(seat->rows, dealt, chosen);
    return chosen;
}

static void study_hand(const Nets *nets, Worth worth, const Wishes *wishes, int playouts, int tries, Chance *chance,
                       Examples *examples) {
    static const float HEATS[4] = {0, 0.3f, 1, 3};
    uint8_t deck[52];
    for (int i = 0; i < 52; i++) deck[i] = (uint8_t)i;
    random_worth(&worth, chance);
    uint32_t company = below(chance, 20);
    int alone = company < 7, in_fantasyland = company >= 18, players = alone || in_fantasyland ? 1 : 2;
    float heat = HEATS[below(chance, 4)];
    int wild = below(chance, 10) == 0; /* a first street laid by lot */
    draw(chance, deck, 52, 52);
    worth.others = !alone;
    Seat now[2], after[2][STREETS];
    uint64_t shown[2][STREETS + 1] = {{0}}; /* what lies open of each after so many streets */
    for (int seat = 0; seat < 2; seat++) empty_rows(now[seat].rows), now[seat].unseen = (1ull << 52) - 1;
    for (int street = 0; street < STREETS; street++)
        for (int seat = 0; seat < players; seat++) {
            const uint8_t *dealt = deck + 17 * seat + (street ? 2 + 3 * street : 0);
            int kind = alone ? NOBODY : in_fantasyland ? IN_FANTASYLAND : street + seat ? SEEN : UNSEEN;
            Choice chosen = street < 4 && (!nets->street[street] || (street == 0 && wild))
                                ? random_street(&now[seat], street, dealt, chance)
                                : play_street(nets, &worth, &now[seat], street, dealt, kind, now[1 - seat].rows, heat, chance);
            shown[seat][street + 1] = shown[seat][street];
            for (int set = chosen.row[0] | chosen.row[1] | chosen.row[2]; set; set &= set - 1)
                shown[seat][street + 1] |= 1ull << dealt[__builtin_ctz((unsigned)set)];
            after[seat][street] = now[seat];
            if (players == 2) now[1 - seat].unseen &= ~shown[seat][street + 1];
        }
    uint64_t fantasyland = 0;
    Other other = {0};
    if (in_fantasyland) {
        int count = 13 + (int)below(chance, 5);
        Layout layout = lay_fantasyland(wishes, deck + 17, count);
        Row rows[3];
        empty_rows(rows);
        for (int row = 0; row < 3; row++)
            for (uint32_t set = layout.taken[row]; set; set &= set - 1) add_card(&rows[row], deck[17 + __builtin_ctz(set)]);
        for (int row = 0; row < 3; row++) other.made[row] = strength_of_row(&rows[row]);
        for (int row = 0; row < 3; row++)
            for (uint32_t set = layout.taken[row]; set; set &= set - 1) fantasyland |= 1ull << deck[17 + __builtin_ctz(set)];
    }
    for (int seat = 0; seat < players; seat++) {
        uint64_t gone = fantasyland;
        if (players == 2) {
            for (int row = 0; row < 3; row++) other.made[row] = strength_of_row(&now[1 - seat].rows[row]);
            other.foul = (float)!in_order(&worth, other.made[0], other.made[1], other.made[2]);
            gone = shown[1 - seat][STREETS];
        }
        worth.other[0] = other;
        for (int street = 0; street < STREETS - 1 && examples->count < examples->room; street++) {
            if (!(examples->wanted >> street & 1)) continue;
            Seat own = after[seat][street];
            Row *seen = NULL;
            int kind = alone ? NOBODY : in_fantasyland ? IN_FANTASYLAND : SEEN;
            uint64_t others_cards = 0;
            if (players == 2) {
                int truly = street + seat, lag = below(chance, 10) < 7 ? truly : (int)below(chance, (uint32_t)truly + 1);
                others_cards = shown[1 - seat][lag];
                if (lag == 0) kind = UNSEEN;
                else seen = after[1 - seat][lag - 1].rows;
            }
            own.unseen = (1ull << 52) - 1;
            for (int i = 0; i < 5 + 3 * street; i++) own.unseen &= ~(1ull << deck[17 * seat + i]);
            own.unseen &= ~others_cards;
            /* At times a third player's cards lie open too. */
            if (below(chance, 4) == 0)
                for (int i = 0; i < 3 + 2 * street && i < 18; i++) {
                    uint8_t card = deck[34 + i];
                    if (!(gone >> card & 1)) own.unseen &= ~(1ull << card);
                }
            int at = examples->count++;
            uint16_t *features = examples->features + (size_t)at * MOST_FEATURES;
            float *parts = examples->parts + (size_t)at * PARTS;
            Live live = live_cards(own.unseen);
            Making making[3];
            int n = shared_features(&live, kind, seen, features);
            for (int row = 0; row < 3; row++) {
                n += row_features(&own.rows[row], row, 0, &live, features + n);
                making[row] = making_of(&own.rows[row]);
            }
            order_features((const Making *const[3]){&making[0], &making[1], &making[2]}, features + n);
            n += 4;
            for (; n < MOST_FEATURES; n++) features[n] = FEATURES;
            dense_inputs(&worth, examples->dense + (size_t)at * DENSE);
            examples->street[at] = (uint8_t)(street + 1);
            memset(parts, 0, PARTS * sizeof *parts);
            if (street == 3) {
                uint8_t cards[52];
                int count = cards_of(own.unseen & ~gone, cards);
                mean_of_draws(&worth, own.rows, cards, count, parts);
                continue;
            }
            for (int i = 0; i < playouts; i++) {
                float one[PARTS];
                if (nets->street[street + 1])
                    play_out(nets, &worth, &own, street, kind, seen, gone, tries, chance, one);
                else
                    memset(one, 0, sizeof one);
                for (int part = 0; part < PARTS; part++) parts[part] += one[part] / (float)playouts;
            }
        }
    }
}

#endif
