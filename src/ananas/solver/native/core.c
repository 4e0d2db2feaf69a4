/* The native core of ananas.solver: functions over buffers, which Python calls through solver/core.py.

   Each function has a twin in readable Python, solver/plain/core.py, which says in full what it takes and gives; tests hold
   the two against each other. Nothing here knows NumPy: buffers come in, and buffers that Python made are filled. */

#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "study.h"

#define WORTH_HEAD 16 /* numbers before the tables of a worth, see solver/worth.py */

static int loaded;

/* -- reading what comes in */

/* A buffer of at least so many things of a size, aligned as they must be; raises ValueError otherwise. Bytes may stand
   for anything, but numbers of eight bytes for none of four. */
static int take(PyObject *object, Py_buffer *view, Py_ssize_t least, Py_ssize_t size, int flags, const char *what) {
    if (PyObject_GetBuffer(object, view, flags | PyBUF_C_CONTIGUOUS)) {
        if (PyErr_ExceptionMatches(PyExc_BufferError)) {
            PyErr_Clear();
            PyErr_Format(PyExc_ValueError, "%s: not a buffer in one piece that can be %s", what, flags ? "filled" : "read");
        }
        return -1;
    }
    if (view->len % size || view->len / size < least)
        PyErr_Format(PyExc_ValueError, "%s: %zd bytes where %zd times %zd are needed", what, view->len, least, size);
    else if ((view->itemsize != 1 && view->itemsize != size) || (uintptr_t)view->buf % (size_t)size)
        PyErr_Format(PyExc_ValueError, "%s: items of %zd bytes, aligned, are needed", what, size);
    else
        return 0;
    PyBuffer_Release(view);
    return -1;
}

static int read_worth(const float *head, Py_ssize_t bytes, Worth *worth) {
    int right = head[4] >= 0 && head[4] <= OTHERS;
    Py_ssize_t tables_of = 4 + 6 * (right ? (Py_ssize_t)head[4] : 0);
    if (!right || bytes < (WORTH_HEAD + tables_of * STRENGTHS) * (Py_ssize_t)sizeof *head) {
        PyErr_SetString(PyExc_ValueError, "a worth has a head and tables for each row and opponent");
        return -1;
    }
    memset(worth, 0, sizeof *worth);
    worth->foul_points = head[0];
    worth->strict = head[1] != 0;
    worth->line_winner = head[2] != 0;
    worth->two_four = head[3] != 0;
    worth->others = (int)head[4];
    const float *next = head + WORTH_HEAD;
    for (int entry = 0; entry < ENTRIES; entry++) worth->fantasyland[entry + 1] = head[8 + entry];
    for (int row = 0; row < 3; row++, next += STRENGTHS) worth->royalty[row] = next;
    worth->entry = next;
    next += STRENGTHS;
    for (int i = 0; i < worth->others; i++) {
        worth->other[i].foul = head[5 + i];
        worth->other[i].win = next;
        worth->other[i].lose = next + 3 * STRENGTHS;
        next += 6 * STRENGTHS;
    }
    return 0;
}

/* Where each card is: 0 not seen, 1 to 3 in an own row, 4 seen and gone, 5 in the hand; 8 + 4 x opponent + row. */
typedef struct {
    Row rows[3], other[OTHERS][3];
    uint64_t unseen;
    uint8_t dealt[MOST_DEALT + 12];
    int hand;
} Position;

static int read_position(const uint8_t *where, Position *position) {
    memset(position, 0, sizeof *position);
    empty_rows(position->rows);
    for (int i = 0; i < OTHERS; i++) empty_rows(position->other[i]);
    for (int card = 0; card < 52; card++) {
        int place = where[card];
        Row *row = NULL;
        if (place == 0) position->unseen |= 1ull << card;
        else if (place <= 3) row = &position->rows[place - 1];
        else if (place == 5 && position->hand < (int)sizeof position->dealt) position->dealt[position->hand++] = (uint8_t)card;
        else if (place >= 8 && place < 8 + 4 * OTHERS && place % 4 < 3) row = &position->other[(place - 8) / 4][place % 4];
        else if (place != 4) goto wrong;
        if (row && row->cards == row->size) goto wrong;
        if (row) add_card(row, card);
    }
    return 0;
wrong:
    PyErr_SetString(PyExc_ValueError, "a position has each card in a place that takes it");
    return -1;
}

static int read_nets(const Py_buffer *view, Nets *nets) {
    int count = (int)(view->len / (Py_ssize_t)sizeof(Net));
    if ((Py_ssize_t)sizeof(Net) * count != view->len || count > STREETS - 1) {
        PyErr_Format(PyExc_ValueError, "nets: %zd bytes, each of up to four has %zd", view->len, (Py_ssize_t)sizeof(Net));
        return -1;
    }
    /* The later streets' nets come to be first: two nets are those after street 3 and street 4. */
    for (int i = 0; i < STREETS - 1; i++)
        nets->street[i] = i < STREETS - 1 - count ? NULL : (const Net *)view->buf + (i - (STREETS - 1 - count));
    return 0;
}

static int ready(void) {
    if (!loaded) PyErr_SetString(PyExc_RuntimeError, "the tables have not been loaded");
    return loaded;
}

/* -- evaluation */

#define BLOCK 480 /* bytes looked at together; whole rows of three and of five */

/* By size and distance, for each card of a block: whether the card so far on is in the same row. */
static uint8_t in_row[2][4][BLOCK];

static void mark_rows(void) {
    for (int size = 3; size <= 5; size += 2)
        for (int next = 0; next < 4; next++)
            for (int i = 0; i < BLOCK; i++) in_row[size == 5][next][i] = i % size + next + 1 < size;
}

static PyObject *core_load(PyObject *self, PyObject *args) {
    (void)self;
    static const size_t SIZES[6] = {sizeof tables.code, sizeof tables.five, sizeof tables.three,
                                    sizeof tables.flush, STRENGTHS, sizeof tables.coarse};
    static const Py_ssize_t ITEMS[6] = {4, 2, 2, 2, 1, 1};
    void *targets[6] = {tables.code, tables.five, tables.three, tables.flush, tables.made, tables.coarse};
    PyObject *given[6];
    if (!PyArg_ParseTuple(args, "OOOOOO", &given[0], &given[1], &given[2], &given[3], &given[4], &given[5])) return NULL;
    for (int i = 0; i < 6; i++) {
        Py_buffer view;
        if (take(given[i], &view, (Py_ssize_t)SIZES[i] / ITEMS[i], ITEMS[i], 0, "a table")) return NULL;
        memcpy(targets[i], view.buf, SIZES[i]);
        PyBuffer_Release(&view);
    }
    mark_rows();
    loaded = 1;
    Py_RETURN_NONE;
}

static PyObject *core_evaluate(PyObject *self, PyObject *cards) {
    (void)self;
    Py_ssize_t count = ready() ? PyBytes_Size(cards) : -1;
    if (count < 0) return NULL;
    const uint8_t *card = (const uint8_t *)PyBytes_AsString(cards);
    uint64_t seen = 0;
    uint32_t code = 0;
    if (count != 3 && count != 5) goto wrong;
    for (Py_ssize_t i = 0; i < count; i++) {
        if (card[i] > 51) goto wrong;
        seen |= 1ull << card[i];
        code += tables.code[card[i]];
    }
    if (__builtin_popcountll(seen) == count)
        return PyLong_FromLong(count == 5 ? strength_of_five(code) : strength_of_three(code));
wrong:
    PyErr_SetString(PyExc_ValueError, "three or five different cards from 0 to 51");
    return NULL;
}

/* Whether every row is of different cards from 0 to 51: each card is held against those after it in its row. */
VECTORS
static int rows_right(const uint8_t *cards, Py_ssize_t count, int size) {
    uint8_t(*within)[BLOCK] = in_row[size == 5], most = 0, same = 0;
    Py_ssize_t at = 0, bytes = count * size;
    for (; at + BLOCK + 4 <= bytes; at += BLOCK) {
        const uint8_t *card = cards + at;
        for (int i = 0; i < BLOCK; i++) {
            most = card[i] > most ? card[i] : most;
            same |= (uint8_t)((card[i] == card[i + 1]) & within[0][i]) | (uint8_t)((card[i] == card[i + 2]) & within[1][i]) |
                    (uint8_t)((card[i] == card[i + 3]) & within[2][i]) | (uint8_t)((card[i] == card[i + 4]) & within[3][i]);
        }
    }
    for (; at < bytes; at++) {
        most = cards[at] > most ? cards[at] : most;
        for (Py_ssize_t other = at - at % size; other < at; other++) same |= cards[other] == cards[at];
    }
    return most <= 51 && !same;
}

VECTORS
static void evaluate_fives(const uint8_t *cards, Py_ssize_t count, int16_t *out) {
    for (Py_ssize_t i = 0; i < count; i++, cards += 5)
        out[i] = (int16_t)strength_of_five(tables.code[cards[0]] + tables.code[cards[1]] + tables.code[cards[2]] +
                                           tables.code[cards[3]] + tables.code[cards[4]]);
}

static void evaluate_threes(const uint8_t *cards, Py_ssize_t count, int16_t *out) {
    for (Py_ssize_t i = 0; i < count; i++, cards += 3)
        out[i] = (int16_t)strength_of_three((tables.code[cards[0]] & KEY_MASK) + (tables.code[cards[1]] & KEY_MASK) +
                                            (tables.code[cards[2]] & KEY_MASK));
}

#define AT_ONCE 4096 /* rows looked at and then evaluated, while they are still at hand */

static PyObject *core_evaluate_many(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *given, *wanted;
    Py_buffer cards, out;
    int size;
    if (!ready() || !PyArg_ParseTuple(args, "OiO", &given, &size, &wanted)) return NULL;
    if (size != 3 && size != 5) return PyErr_Format(PyExc_ValueError, "rows have three or five cards, not %d", size);
    if (take(given, &cards, 0, 1, 0, "cards")) return NULL;
    Py_ssize_t count = cards.len / size;
    if (cards.len % size || take(wanted, &out, count, sizeof(int16_t), PyBUF_WRITABLE, "strengths")) {
        if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "cards: not a whole number of rows of %d", size);
        PyBuffer_Release(&cards);
        return NULL;
    }
    const uint8_t *card = cards.buf;
    int16_t *strengths = out.buf;
    int right = 1;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t done = 0, some; right && done < count; done += some) {
        some = count - done < AT_ONCE ? count - done : AT_ONCE;
        right = rows_right(card + done * size, some, size);
        if (right) (size == 5 ? evaluate_fives : evaluate_threes)(card + done * size, some, strengths + done);
    }
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&cards);
    PyBuffer_Release(&out);
    if (!right) return PyErr_Format(PyExc_ValueError, "rows are of different cards from 0 to 51");
    Py_RETURN_NONE;
}

/* -- Fantasyland */

static PyObject *core_fantasyland(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *given, *worths;
    Py_buffer cards, worth;
    Wishes wishes = {0};
    if (!ready() || !PyArg_ParseTuple(args, "OOiifiii", &given, &worths, &wishes.strict, &wishes.stays, &wishes.stay,
                                      &wishes.least_trips, &wishes.least_full_house, &wishes.least_quads))
        return NULL;
    if (take(given, &cards, 13, 1, 0, "cards")) return NULL;
    if (take(worths, &worth, 3 * STRENGTHS, sizeof(float), 0, "worths")) {
        PyBuffer_Release(&cards);
        return NULL;
    }
    for (int row = 0; row < 3; row++) wishes.worth[row] = (const float *)worth.buf + row * STRENGTHS;
    uint64_t seen = 0;
    int count = cards.len <= 17 ? (int)cards.len : 0, right = count > 0;
    for (int i = 0; right && i < count; i++) {
        int card = ((const uint8_t *)cards.buf)[i];
        right = card < 52 && !(seen >> card & 1);
        seen |= right ? 1ull << card : 0;
    }
    Layout layout = {0};
    if (right) {
        Py_BEGIN_ALLOW_THREADS
        layout = lay_fantasyland(&wishes, cards.buf, count);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&cards);
    PyBuffer_Release(&worth);
    if (!right) return PyErr_Format(PyExc_ValueError, "Fantasyland is 13 to 17 different cards");
    if (!layout.found) return PyErr_Format(PyExc_ValueError, "no board of these cards is in order");
    return Py_BuildValue("dIII", (double)layout.value, layout.taken[0], layout.taken[1], layout.taken[2]);
}

/* -- whole hands by chance */

static PyObject *core_random_hands(PyObject *self, PyObject *args) {
    (void)self;
    unsigned long long seed, hands;
    int players;
    PyObject *given, *wanted;
    Py_buffer view, out;
    Worth worth;
    if (!ready() || !PyArg_ParseTuple(args, "KKiOO", &seed, &hands, &players, &given, &wanted)) return NULL;
    if (players < 2 || players > 4) return PyErr_Format(PyExc_ValueError, "two to four players, not %d", players);
    if (take(given, &view, WORTH_HEAD, sizeof(float), 0, "worth")) return NULL;
    if (read_worth(view.buf, view.len, &worth)) goto fail;
    if (take(wanted, &out, 5, sizeof(double), PyBUF_WRITABLE, "totals")) goto fail;
    double *totals = out.buf;
    Py_BEGIN_ALLOW_THREADS
    uint8_t deck[52];
    Chance chance = {seed};
    for (int i = 0; i < 52; i++) deck[i] = (uint8_t)i;
    for (unsigned long long hand = 0; hand < hands; hand++) {
        int made[4][3], dead[4];
        float earned[4][3];
        draw(&chance, deck, 52, 13 * players);
        for (int p = 0; p < players; p++) {
            const uint8_t *c = deck + 13 * p;
            made[p][0] = strength_of_three((tables.code[c[0]] & KEY_MASK) + (tables.code[c[1]] & KEY_MASK) +
                                           (tables.code[c[2]] & KEY_MASK));
            for (int row = 1; row < 3; row++) {
                uint32_t code = 0;
                for (int i = 0; i < 5; i++) code += tables.code[c[5 * row - 2 + i]];
                made[p][row] = strength_of_five(code);
            }
            dead[p] = !in_order(&worth, made[p][0], made[p][1], made[p][2]);
            for (int row = 0; row < 3; row++) earned[p][row] = dead[p] ? 0 : worth.royalty[row][made[p][row]];
            totals[4] += dead[p];
        }
        for (int a = 0; a < players; a++)
            for (int b = a + 1; b < players; b++) {
                int both_alive = !dead[a] && !dead[b];
                float points = 0, won[3];
                for (int row = 0; row < 3; row++) {
                    /* Where only a row's winner is paid for it; a dead hand pays all. */
                    int only_winner = worth.line_winner && both_alive;
                    if (!only_winner || made[a][row] > made[b][row]) points += earned[a][row];
                    if (!only_winner || made[a][row] < made[b][row]) points -= earned[b][row];
                }
                if (!both_alive) points += worth.foul_points * (float)(dead[b] - dead[a]);
                else {
                    Other other = {0, NULL, NULL, {made[b][0], made[b][1], made[b][2]}};
                    points += lines_against(&worth, &other, made[a], won);
                }
                totals[a] += (double)points;
                totals[b] -= (double)points;
            }
    }
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&out);
    PyBuffer_Release(&view);
    Py_RETURN_NONE;
fail:
    PyBuffer_Release(&view);
    return NULL;
}

/* -- positions */

/* Choices, three bytes each. */
static int take_choices(PyObject *object, Py_buffer *view) {
    if (take(object, view, 0, 1, 0, "choices")) return -1;
    if (view->len % (Py_ssize_t)sizeof(Choice) == 0 && view->len < 1 << 24) return 0;
    PyErr_SetString(PyExc_ValueError, "choices: three bytes each");
    PyBuffer_Release(view);
    return -1;
}

/* What most functions below are given: a position and a worth, and nets where they need them. */
typedef struct {
    Py_buffer where, worth_view, nets_view;
    Position position;
    Worth worth;
    Nets nets;
    int with_nets;
} Given;

static void release(Given *given) {
    PyBuffer_Release(&given->where);
    PyBuffer_Release(&given->worth_view);
    if (given->with_nets) PyBuffer_Release(&given->nets_view);
}

static int receive(Given *given, PyObject *where, PyObject *worth, PyObject *nets) {
    given->with_nets = nets != NULL;
    if (!ready() || take(where, &given->where, 52, 1, 0, "position")) return -1;
    if (take(worth, &given->worth_view, WORTH_HEAD, sizeof(float), 0, "worth")) {
        PyBuffer_Release(&given->where);
        return -1;
    }
    if (nets && take(nets, &given->nets_view, 0, sizeof(float), 0, "nets")) {
        PyBuffer_Release(&given->where);
        PyBuffer_Release(&given->worth_view);
        return -1;
    }
    if (!read_position(given->where.buf, &given->position) &&
        !read_worth(given->worth_view.buf, given->worth_view.len, &given->worth) &&
        !(nets && read_nets(&given->nets_view, &given->nets)))
        return 0;
    release(given);
    return -1;
}

static int cards_on(const Row rows[3]) { return rows[0].cards + rows[1].cards + rows[2].cards; }

/* The street that comes next for a board of so many cards, from 0; 5 when it is full, -1 where Pineapple has none. */
static int street_of(int cards) {
    if (cards == 0) return 0;
    return cards < 5 || cards > 13 || cards % 2 == 0 ? -1 : (cards - 3) / 2;
}

/* Whether each choice lays cards of the hand, each once, in places that are free; `laid` of them, or as many as it likes
   where that is -1. */
VECTORS
static int choices_fit(const Position *position, const Choice *choices, int count, int laid) {
    for (int i = 0; i < count; i++) {
        const uint8_t *to = choices[i].row;
        int all = to[0] | to[1] | to[2], bits = 0;
        for (int row = 0; row < 3; row++) {
            int cards = __builtin_popcount(to[row]);
            if (position->rows[row].cards + cards > ROW_SIZE[row]) return 0;
            bits += cards;
        }
        if (all >> position->hand || bits != __builtin_popcount((unsigned)all) || (laid >= 0 && bits != laid)) return 0;
    }
    return 1;
}

static PyObject *wrong_count(const char *what) {
    PyErr_SetString(PyExc_ValueError, what);
    return NULL;
}

static PyObject *core_mean_of_draws(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *where, *worth;
    Given given;
    int detailed;
    if (!PyArg_ParseTuple(args, "OOp", &where, &worth, &detailed) || receive(&given, where, worth, NULL)) return NULL;
    uint8_t cards[52];
    int count = cards_of(given.position.unseen, cards);
    int right = cards_on(given.position.rows) == 11 && count >= 3 && count <= MOST_UNSEEN;
    float parts[PARTS] = {0}, value = 0;
    if (right) {
        Py_BEGIN_ALLOW_THREADS
        value = mean_of_draws(&given.worth, given.position.rows, cards, count, detailed ? parts : NULL);
        Py_END_ALLOW_THREADS
    }
    release(&given);
    if (!right) return wrong_count("eleven cards laid, and three to 48 to come");
    if (!detailed) return PyFloat_FromDouble((double)value);
    return Py_BuildValue("d(ddddddd)", (double)value, (double)parts[0], (double)parts[1], (double)parts[2],
                         (double)parts[3], (double)parts[4], (double)parts[5], (double)parts[6]);
}

/* Every placement of the cards in the hand, `laid` of them to rows: three bytes each, the cards of each row as bits. */
static PyObject *core_choices(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *where;
    Py_buffer view;
    Position position;
    int laid;
    if (!ready() || !PyArg_ParseTuple(args, "Oi", &where, &laid) || take(where, &view, 52, 1, 0, "position")) return NULL;
    int wrong = read_position(view.buf, &position);
    PyBuffer_Release(&view);
    if (wrong) return NULL;
    if (position.hand > MOST_DEALT || laid < 0 || laid > position.hand)
        return wrong_count("a hand of up to five cards, and no more of them laid");
    Choice choices[1 << (2 * MOST_DEALT)];
    int count = list_choices(position.rows, position.hand, laid, choices);
    return PyBytes_FromStringAndSize((const char *)choices, count * (Py_ssize_t)sizeof *choices);
}

/* What full boards, or boards of eleven cards, come to, exactly: for each choice its points and its parts. */
static PyObject *core_exact(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *where, *worth, *chosen, *wanted;
    Py_buffer choices, out;
    Given given;
    if (!PyArg_ParseTuple(args, "OOOO", &where, &worth, &chosen, &wanted) || receive(&given, where, worth, NULL)) return NULL;
    if (take_choices(chosen, &choices)) goto fail;
    int count = (int)(choices.len / (Py_ssize_t)sizeof(Choice));
    if (take(wanted, &out, count * (Py_ssize_t)(1 + PARTS), sizeof(float), PyBUF_WRITABLE, "values")) {
        PyBuffer_Release(&choices);
        goto fail;
    }
    int right = given.position.hand <= MOST_DEALT && choices_fit(&given.position, choices.buf, count, -1);
    Py_BEGIN_ALLOW_THREADS
    uint8_t cards[52];
    int unseen = cards_of(given.position.unseen, cards);
    float *values = out.buf;
    for (int i = 0; right && i < count; i++, values += 1 + PARTS) {
        Row rows[3];
        Choice choice = ((const Choice *)choices.buf)[i];
        memcpy(rows, given.position.rows, sizeof rows);
        lay_choice(rows, given.position.dealt, choice);
        int laid = cards_on(rows);
        if (laid == 13)
            values[0] = value_of(&given.worth, strength_of_row(&rows[0]), strength_of_row(&rows[1]), strength_of_row(&rows[2]),
                                 values + 1);
        else if (laid == 11 && unseen >= 3 && unseen <= MOST_UNSEEN)
            values[0] = mean_of_draws(&given.worth, rows, cards, unseen, values + 1);
        else
            right = 0;
    }
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&choices);
    PyBuffer_Release(&out);
    release(&given);
    if (!right) return wrong_count("choices that make eleven or thirteen cards of a board");
    Py_RETURN_NONE;
fail:
    release(&given);
    return NULL;
}

static int kinds_of(PyObject *given, const Position *position, int kinds[OTHERS]) {
    char *bytes;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(given, &bytes, &size)) return -1;
    for (int i = 0; i < OTHERS; i++) {
        kinds[i] = i < size ? bytes[i] : 0;
        if (kinds[i] && (kinds[i] < 13 || kinds[i] > 17 || cards_on(position->other[i]))) {
            PyErr_SetString(PyExc_ValueError, "an opponent is 0, or lies in Fantasyland with 13 to 17 cards, unseen");
            return -1;
        }
    }
    return 0;
}

/* What the net is told of an opponent. */
static int kind_of(const Worth *worth, int fantasyland, const Row *other) {
    if (!worth->others) return NOBODY;
    if (fantasyland) return IN_FANTASYLAND;
    return cards_on(other) ? SEEN : UNSEEN;
}

/* What the nets see in each choice: points and parts, the mean over the opponents. */
static PyObject *core_judge(PyObject *self, PyObject *const *args, Py_ssize_t arguments) {
    (void)self;
    if (arguments != 6) return PyErr_Format(PyExc_TypeError, "judge takes 6 arguments, not %zd", arguments);
    PyObject *told = args[3], *chosen = args[4], *wanted = args[5];
    Py_buffer choices, out;
    Given given;
    int kinds[OTHERS];
    if (receive(&given, args[0], args[1], args[2])) return NULL;
    if (kinds_of(told, &given.position, kinds) || take_choices(chosen, &choices)) goto fail;
    int count = (int)(choices.len / (Py_ssize_t)sizeof(Choice));
    if (take(wanted, &out, count * (Py_ssize_t)(1 + PARTS), sizeof(float), PyBUF_WRITABLE, "values")) {
        PyBuffer_Release(&choices);
        goto fail;
    }
    /* The net is the one for as many cards as the choices make, whatever street they come from. */
    int laid = 0, after = cards_on(given.position.rows);
    for (int row = 0; count && row < 3; row++) laid += __builtin_popcount(((const Choice *)choices.buf)->row[row]);
    after += laid;
    int street = after >= 5 && after % 2 ? (after - 5) / 2 : 4;
    int right = street < 4 && given.nets.street[street] && given.position.hand <= MOST_DEALT && count <= MOST_PLACEMENTS &&
                choices_fit(&given.position, choices.buf, count, laid);
    if (right) {
        Py_BEGIN_ALLOW_THREADS
        int others = given.worth.others ? given.worth.others : 1;
        float told_now[MOST_TOLD][TOLD], share = 1.0f / (float)others;
        float(*values)[TOLD] = out.buf;
        memset(values, 0, (size_t)count * sizeof *values);
        for (int other = 0; other < others; other++) {
            Setting setting;
            const Row *rows = given.position.other[other];
            prepare(given.nets.street[street], &given.worth, given.position.unseen, kind_of(&given.worth, kinds[other], rows),
                    rows, &setting);
            judge_choices(given.nets.street[street], &given.worth, &setting, given.position.rows, given.position.dealt,
                          choices.buf, count, told_now);
            for (int i = 0; i < count; i++)
                for (int part = 0; part < TOLD; part++) values[i][part] += told_now[i][part] * share;
        }
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&choices);
    PyBuffer_Release(&out);
    release(&given);
    if (!right) return wrong_count("choices that all make a board of 5, 7, 9 or 11 cards, with a net for it");
    Py_RETURN_NONE;
fail:
    release(&given);
    return NULL;
}

#define MOST_SAMPLES (1 << 20)
#define MOST_FIRST (1 << 30)
#define MOST_DRAWN 15 /* after the first street twelve cards come, and three more are looked at */

/* Play each choice on, over the same cards to come for all. Fills two numbers for every sample, what the next street's net
   says of the board that then stands and what it comes to, and unless their buffer is empty the mean parts: they take as
   long again. */
static PyObject *core_rollouts(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *where, *worth, *nets, *chosen, *wanted, *detailed, *told;
    Py_buffer choices, out, means;
    Given given;
    unsigned long long seed;
    int samples, first, exact, kinds[OTHERS];
    if (!PyArg_ParseTuple(args, "OOOOOKiiiOO", &where, &worth, &nets, &told, &chosen, &seed, &first, &samples, &exact, &wanted,
                          &detailed) ||
        receive(&given, where, worth, nets))
        return NULL;
    if (kinds_of(told, &given.position, kinds) || take_choices(chosen, &choices)) goto fail;
    int count = (int)(choices.len / (Py_ssize_t)sizeof(Choice));
    if (samples < 0 || samples > MOST_SAMPLES || first < 0 || first > MOST_FIRST || exact < 0 ||
        take(wanted, &out, (Py_ssize_t)count * samples * 2, sizeof(float), PyBUF_WRITABLE, "values")) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "up to a million samples, and nothing below 0");
        PyBuffer_Release(&choices);
        goto fail;
    }
    Py_ssize_t asked = PyObject_Size(detailed) ? count * (Py_ssize_t)PARTS : 0;
    PyErr_Clear(); /* what has no size is no buffer, either */
    if (take(detailed, &means, asked, sizeof(float), PyBUF_WRITABLE, "parts")) {
        PyBuffer_Release(&choices);
        PyBuffer_Release(&out);
        goto fail;
    }
    const Position *position = &given.position;
    int street = street_of(cards_on(position->rows));
    int right = street >= 0 && street < 4 && position->hand == DEALT[street];
    for (int next = street + 1; right && next < 4; next++) right = given.nets.street[next] != NULL;
    right = right && choices_fit(position, choices.buf, count, LAID[street]) &&
            __builtin_popcountll(position->unseen) >= MOST_DRAWN;
    if (right) {
        Py_BEGIN_ALLOW_THREADS
        float *values = out.buf, *parts = means.buf, detail[PARTS];
        memset(parts, 0, (size_t)asked * sizeof *parts);
        for (int sample = 0; sample < samples; sample++) {
            uint8_t cards[52];
            Chance chance = {seed + 0x632BE59BD9B4E019u * (uint64_t)(first + sample + 1)};
            int unseen = cards_of(position->unseen, cards);
            draw(&chance, cards, unseen, 3 * (4 - street));
            int which = given.worth.others ? (first + sample) % given.worth.others : 0;
            const Row *other = position->other[which];
            int kind = kind_of(&given.worth, kinds[which], other);
            for (int i = 0; i < count; i++) {
                float value, word = 0;
                Seat seat;
                memcpy(seat.rows, position->rows, sizeof seat.rows);
                seat.unseen = position->unseen;
                lay_choice(seat.rows, position->dealt, ((const Choice *)choices.buf)[i]);
                int next = street + 1, at = 0;
                for (; next < (exact ? 3 : 4); next++, at += 3) {
                    play_street(&given.nets, &given.worth, &seat, next, cards + at, kind, other, 0, NULL);
                    if (next == street + 1) word = seat.word;
                }
                if (next == 4)
                    value = last_street(&given.worth, seat.rows, cards + at, 3, 2, NULL, asked ? detail : NULL);
                else
                    value = exact_street_four(&given.nets, &given.worth, &seat, cards + at, kind, other, exact,
                                              asked ? detail : NULL);
                float *filled = values + 2 * ((size_t)i * samples + sample);
                filled[0] = street == 3 ? value : at ? word : seat.word;
                filled[1] = value;
                for (int part = 0; asked && part < PARTS; part++) parts[i * PARTS + part] += detail[part] / (float)samples;
            }
        }
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&choices);
    PyBuffer_Release(&out);
    PyBuffer_Release(&means);
    release(&given);
    if (!right) return wrong_count("a Pineapple street from 1 to 4 with nets for those after it, and choices that fit");
    Py_RETURN_NONE;
fail:
    release(&given);
    return NULL;
}

/* Play the opponents' boards to their ends, as the nets would: for each sample and opponent the strengths of his rows. */
static PyObject *core_complete(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *where, *worth, *nets, *told, *worths, *wanted;
    Py_buffer rows_worth, out;
    Given given;
    unsigned long long seed;
    int samples, kinds[OTHERS];
    Wishes wishes = {0};
    if (!PyArg_ParseTuple(args, "OOOOKiO(Oiifiii)", &where, &worth, &nets, &told, &seed, &samples, &wanted, &worths,
                          &wishes.strict, &wishes.stays, &wishes.stay, &wishes.least_trips, &wishes.least_full_house,
                          &wishes.least_quads) ||
        receive(&given, where, worth, nets))
        return NULL;
    int others = given.worth.others;
    if (kinds_of(told, &given.position, kinds) ||
        take(worths, &rows_worth, 3 * STRENGTHS, sizeof(float), 0, "worths"))
        goto fail;
    if (samples < 0 || samples > MOST_SAMPLES ||
        take(wanted, &out, (Py_ssize_t)samples * others * 3, sizeof(int16_t), PyBUF_WRITABLE, "strengths")) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "up to a million samples");
        PyBuffer_Release(&rows_worth);
        goto fail;
    }
    for (int row = 0; row < 3; row++) wishes.worth[row] = (const float *)rows_worth.buf + row * STRENGTHS;
    const Position *position = &given.position;
    int right = others > 0, needed = 0, streets[OTHERS] = {0};
    for (int i = 0; i < others; i++) {
        streets[i] = kinds[i] ? 5 : street_of(cards_on(position->other[i]));
        right &= streets[i] >= 0;
        needed += kinds[i] ? kinds[i] : streets[i] == 0 ? 17 : 3 * (5 - streets[i]);
        for (int next = streets[i]; right && next < 4; next++) right = given.nets.street[next] != NULL;
    }
    right &= needed <= __builtin_popcountll(position->unseen);
    if (right) {
        Py_BEGIN_ALLOW_THREADS
        int16_t *made = out.buf;
        for (int sample = 0; sample < samples; sample++) {
            uint8_t cards[52];
            Chance chance = {seed + 0x632BE59BD9B4E019u * (uint64_t)(sample + 1)};
            int unseen = cards_of(position->unseen, cards), at = 0;
            draw(&chance, cards, unseen, needed);
            for (int i = 0; i < others; i++, made += 3) {
                Seat seat;
                memcpy(seat.rows, position->other[i], sizeof seat.rows);
                if (kinds[i]) {
                    Layout layout = lay_fantasyland(&wishes, cards + at, kinds[i]);
                    for (int row = 0; row < 3; row++)
                        for (uint32_t set = layout.taken[row]; set; set &= set - 1)
                            add_card(&seat.rows[row], cards[at + __builtin_ctz(set)]);
                    at += kinds[i];
                } else {
                    /* He sees what lies open: his own discards, which nobody else knows, are few. */
                    seat.unseen = position->unseen;
                    for (int next = streets[i]; next < 5; next++) {
                        play_street(&given.nets, &given.worth, &seat, next, cards + at, cards_on(position->rows) ? SEEN : UNSEEN,
                                    position->rows, 0, NULL);
                        at += DEALT[next];
                    }
                }
                for (int row = 0; row < 3; row++) made[row] = (int16_t)strength_of_row(&seat.rows[row]);
            }
        }
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&rows_worth);
    PyBuffer_Release(&out);
    release(&given);
    if (!right) return wrong_count("opponents on Pineapple streets that there are nets and cards for");
    Py_RETURN_NONE;
fail:
    release(&given);
    return NULL;
}

/* -- learning */

#define MOST_EXAMPLES 100000000

static PyObject *core_study(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *worth_given, *nets_given, *judges_given, *worths, *wanted[4];
    Py_buffer worth_view, nets_view, judges_view, rows_worth, out[4];
    unsigned long long seed;
    int draws, streets, taken = 0;
    Wishes wishes = {0};
    Worth worth;
    Nets nets, judges;
    if (!ready() ||
        !PyArg_ParseTuple(args, "OOOKii(Oiifiii)OOOO", &worth_given, &nets_given, &judges_given, &seed, &streets, &draws, &worths,
                          &wishes.strict, &wishes.stays, &wishes.stay, &wishes.least_trips, &wishes.least_full_house,
                          &wishes.least_quads, &wanted[0], &wanted[1], &wanted[2], &wanted[3]))
        return NULL;
    if (take(worth_given, &worth_view, WORTH_HEAD, sizeof(float), 0, "worth")) return NULL;
    if (take(nets_given, &nets_view, 0, sizeof(float), 0, "nets")) goto no_nets;
    if (take(judges_given, &judges_view, 0, sizeof(float), 0, "judges")) goto no_judges;
    if (take(worths, &rows_worth, 3 * STRENGTHS, sizeof(float), 0, "worths")) goto no_rows;
    if (read_worth(worth_view.buf, worth_view.len, &worth) || read_nets(&nets_view, &nets) || read_nets(&judges_view, &judges)) goto no_out;
    for (int street = 0; street < 3; street++)
        if ((streets >> street & 1) && !judges.street[street + 1]) {
            PyErr_SetString(PyExc_ValueError, "a street is studied with the net of the street after it");
            goto no_out;
        }
    if (!(streets & 15) || draws < 1) {
        PyErr_SetString(PyExc_ValueError, "some streets, and at least one draw");
        goto no_out;
    }
    if (worth.others != 1) {
        PyErr_SetString(PyExc_ValueError, "a worth against one usual opponent");
        goto no_out;
    }
    static const Py_ssize_t ITEMS[4] = {2, 4, 4, 1}, NUMBERS[4] = {MOST_FEATURES, DENSE, PARTS, 1};
    Py_ssize_t room = 0;
    for (; taken < 4; taken++) {
        if (take(wanted[taken], &out[taken], room * NUMBERS[taken], ITEMS[taken], PyBUF_WRITABLE, "examples")) goto no_out;
        if (taken == 0) room = out[0].len / (ITEMS[0] * NUMBERS[0]);
    }
    if (room > MOST_EXAMPLES) {
        PyErr_SetString(PyExc_ValueError, "up to a hundred million examples");
        goto no_out;
    }
    for (int row = 0; row < 3; row++) wishes.worth[row] = (const float *)rows_worth.buf + row * STRENGTHS;
    Examples examples = {out[0].buf, out[1].buf, out[2].buf, out[3].buf, 0, (int)room, streets};
    Py_BEGIN_ALLOW_THREADS
    Chance chance = {seed};
    while (examples.count < examples.room) study_hand(&nets, &judges, worth, &wishes, draws, &chance, &examples);
    Py_END_ALLOW_THREADS
no_out:
    for (int i = 0; i < taken; i++) PyBuffer_Release(&out[i]);
    PyBuffer_Release(&rows_worth);
no_rows:
    PyBuffer_Release(&judges_view);
no_judges:
    PyBuffer_Release(&nets_view);
no_nets:
    PyBuffer_Release(&worth_view);
    if (PyErr_Occurred()) return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"load", core_load, METH_VARARGS, NULL},
    {"evaluate", core_evaluate, METH_O, NULL},
    {"evaluate_many", core_evaluate_many, METH_VARARGS, NULL},
    {"fantasyland", core_fantasyland, METH_VARARGS, NULL},
    {"random_hands", core_random_hands, METH_VARARGS, NULL},
    {"mean_of_draws", core_mean_of_draws, METH_VARARGS, NULL},
    {"choices", core_choices, METH_VARARGS, NULL},
    {"exact", core_exact, METH_VARARGS, NULL},
    {"judge", (PyCFunction)(void (*)(void))core_judge, METH_FASTCALL, NULL},
    {"rollouts", core_rollouts, METH_VARARGS, NULL},
    {"complete", core_complete, METH_VARARGS, NULL},
    {"study", core_study, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_core", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__core(void) {
    PyObject *made = PyModule_Create(&module);
    if (made && (PyModule_AddIntConstant(made, "FEATURES", FEATURES) || PyModule_AddIntConstant(made, "NET_FLOATS", sizeof(Net) / 4)))
        return NULL;
    return made;
}
