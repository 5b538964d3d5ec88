// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Two records of one program whose files, stacks and mappings lie at other addresses, as
 * after the loader's cache grew, with another limit of the stack, or where one library more
 * is loaded. They are the same run if they are equal but for names: each address, inode and
 * IPC object of one stands for one of the other, and for that one only. Code is compared by
 * file and offset.
 *
 * How many calls the dynamic loader makes until a program is loaded depends on where it has
 * to look for libraries. Nothing of the program happens there, so these points are left out,
 * and a schedule is given as many decisions for them as a run needs: chess_moved_schedule().
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "code/image.h"
#include "internal.h"
#include "mix.h"
#include "record/decision.h"

/* Below, numbers are no addresses: nothing is mapped there. */
#define LOWEST_ADDRESS	0x10000
#define PAGE		4096
#define NO_SEQ		UINT32_MAX

/* What a name of one record is in the other. */
struct pair {
	uint64_t space;		/* 0: the slot is free */
	uint64_t from, to;
};

struct names {
	struct pair *slot;
	size_t n, room;		/* a power of two */
};

/* One of the two records. */
struct side {
	const struct chess_record *r;
	struct chess_mapping *map;
	size_t n_maps;
	char program[sizeof(((struct chess_mapping *)NULL)->path)];
	uint64_t loader, loader_end;	/* its code; empty: there is none, or nobody knows */
};

struct chess_moved {
	struct side a, b;
	struct names to_b, to_a;
	uint64_t *space;	/* of each task's memory: a new one with each program */
	size_t tasks;
	uint64_t spaces;
	uint32_t *seq;		/* number in a of the event with index i of b, or NO_SEQ */
	size_t at_a, at_b;	/* indexes of the first that differ; SIZE_MAX: none does */
	/* of the first ends of tasks whose calls that are not points returned something else */
	size_t digest_a, digest_b;
	bool moved;		/* something has another name, or was loaded otherwise */
	int error;
};

/* Inodes and IPC objects are no addresses; programs are from SPACES_OF_MEMORY on. */
enum { SPACE_INODES = 1, SPACE_KEYS, SPACES_OF_MEMORY };

/* --- names ------------------------------------------------------------------ */

static struct pair *find_name(const struct names *n, uint64_t space, uint64_t from)
{
	size_t i;

	if (!n->room)
		return NULL;
	for (i = chess_mix(space, from) & (n->room - 1); n->slot[i].space;
	     i = (i + 1) & (n->room - 1))
		if (n->slot[i].space == space && n->slot[i].from == from)
			return &n->slot[i];
	return &n->slot[i];
}

static int grow_names(struct names *n)
{
	struct names more = { .room = n->room ? n->room * 2 : 256 };
	size_t i;

	more.slot = calloc(more.room, sizeof(*more.slot));
	if (!more.slot)
		return -ENOMEM;
	for (i = 0; i < n->room; i++)
		if (n->slot[i].space)
			*find_name(&more, n->slot[i].space, n->slot[i].from) = n->slot[i];
	more.n = n->n;
	free(n->slot);
	*n = more;
	return 0;
}

/* Does @from stand for @to? From the first time on it does. */
static bool stands_for(struct chess_moved *m, struct names *n, uint64_t space, uint64_t from,
		       uint64_t to)
{
	struct pair *p;

	if (n->n * 2 >= n->room && grow_names(n)) {
		m->error = -ENOMEM;
		return false;
	}
	p = find_name(n, space, from);
	if (p->space)
		return p->to == to;
	*p = (struct pair) { .space = space, .from = from, .to = to };
	n->n++;
	return true;
}

static bool same_name(struct chess_moved *m, uint64_t space, uint64_t a, uint64_t b)
{
	m->moved |= a != b;
	return stands_for(m, &m->to_b, space, a, b) && stands_for(m, &m->to_a, space, b, a);
}

/* --- places ----------------------------------------------------------------- */

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* What the kernel maps to load others, by the names that C libraries give it. */
static bool is_loader(const char *path)
{
	const char *name = last_part(path);

	return !strncmp(name, "ld", 2) && strstr(name, ".so");
}

/*
 * The list of libraries, which the loader unmaps before the program begins. Memory of the program
 * may come to lie there, and how much of it fits depends on how many libraries are installed.
 */
static bool is_cache(const char *path)
{
	return !strcmp(last_part(path), "ld.so.cache");
}

static int read_maps(struct side *s, const char *text)
{
	struct chess_mapping m;

	while (text && (text = chess_mapping_next(text, &m))) {
		if (m.path[0] != '/' || is_cache(m.path))
			continue;
		if (chess_array_resize(&s->map, s->n_maps + 1, sizeof(*s->map)))
			return -ENOMEM;
		s->map[s->n_maps++] = m;
		/* Libraries lie below the program or above it. */
		if (!s->program[0] && !strstr(last_part(m.path), ".so"))
			strcpy(s->program, m.path);
		if (!is_loader(m.path))
			continue;
		s->loader = s->loader ? s->loader : m.start;
		s->loader_end = m.end;
	}
	return 0;
}

static const struct chess_mapping *find_map(const struct side *s, uint64_t address)
{
	size_t i;

	for (i = 0; i < s->n_maps; i++)
		if (address >= s->map[i].start && address < s->map[i].end)
			return &s->map[i];
	return NULL;
}

/* Libraries go by their names, as the loader has it; the program may be called otherwise. */
static bool same_file(const struct chess_moved *m, const struct chess_mapping *a,
		      const struct chess_mapping *b)
{
	if (!strcmp(last_part(a->path), last_part(b->path)))
		return true;
	return !strcmp(a->path, m->a.program) && !strcmp(b->path, m->b.program);
}

/* -1: one of them lies in no file that is known */
static int same_place(const struct chess_moved *m, uint64_t a, uint64_t b)
{
	const struct chess_mapping *in_a = find_map(&m->a, a), *in_b = find_map(&m->b, b);

	if (!in_a || !in_b)
		return -1;
	return a - in_a->start + in_a->offset == b - in_b->start + in_b->offset &&
	       same_file(m, in_a, in_b);
}

/* Maps are those of the first program. */
static bool knows_places(const struct chess_moved *m, uint64_t space)
{
	return space == SPACES_OF_MEMORY && m->a.n_maps && m->b.n_maps;
}

static bool same_code(struct chess_moved *m, uint64_t space, uint64_t a, uint64_t b)
{
	int same = knows_places(m, space) ? same_place(m, a, b) : -1;

	if (!a || !b)
		return a == b;
	/* Files are mapped in pages. */
	if (same < 0)
		same = a % PAGE == b % PAGE;
	return same && same_name(m, space, a, b);
}

static bool same_data(struct chess_moved *m, uint64_t space, uint64_t a, uint64_t b)
{
	int same = knows_places(m, space) ? same_place(m, a, b) : -1;

	if (a < LOWEST_ADDRESS || b < LOWEST_ADDRESS)
		return a == b;
	/* What lies in no file has moved with its alignment. */
	if (same < 0)
		same = a % 8 == b % 8;
	return same && same_name(m, space, a, b);
}

/* --- events ------------------------------------------------------------------ */

static bool returns_address(const struct chess_event *e)
{
	return e->nr == 9 /* mmap */ || e->nr == 12 /* brk */ || e->nr == 25 /* mremap */ ||
	       e->nr == 30 /* shmat */;
}

static bool same_object(struct chess_moved *m, uint64_t space, const struct chess_event *a,
			const struct chess_event *b)
{
	if (a->object_kind != b->object_kind)
		return false;
	switch (a->object_kind) {
	case CHESS_OBJECT_ADDRESS:
		return same_data(m, space, a->object, b->object);
	case CHESS_OBJECT_INODE:
	case CHESS_OBJECT_SYSTEM:
		return same_name(m, SPACE_INODES, a->object, b->object);
	case CHESS_OBJECT_KEY:
		return same_name(m, SPACE_KEYS, a->object, b->object);
	default:
		return a->object == b->object;
	}
}

/* What a call gave back, or who called a function. */
static bool same_end(struct chess_moved *m, uint64_t space, const struct chess_event *a,
		     const struct chess_event *b)
{
	if (a->caller == b->caller)
		return true;
	if (a->flags & CHESS_OPF_PROBE)
		return same_code(m, space, a->caller, b->caller);
	return returns_address(a) && a->result >= LOWEST_ADDRESS &&
	       same_data(m, space, a->caller, b->caller);
}

/* Has a call the number of an inode for an argument? See struct chess_event. */
static bool names_inode(const struct chess_event *e)
{
	if ((e->flags & CHESS_OPF_PROBE) || e->arg & CHESS_ARG_OTHER)
		return false;
	return (e->op == CHESS_OP_FILE && e->arg & CHESS_ARG_EMPTY_PATH) ||
	       (e->op == CHESS_OP_CLOSE && e->arg);
}

static bool same_argument(struct chess_moved *m, uint64_t space, const struct chess_event *a,
			  const struct chess_event *b)
{
	/*
	 * A digest of results, with addresses among them: see judge_digests(). And where a new
	 * thread has its data, which older traces do not say.
	 */
	if (a->type == CHESS_EVENT_EXIT || a->type == CHESS_EVENT_SPAWN || a->arg == b->arg)
		return true;
	if (names_inode(a) && names_inode(b))
		return same_name(m, SPACE_INODES, a->arg & ~CHESS_ARG_EMPTY_PATH,
				 b->arg & ~CHESS_ARG_EMPTY_PATH);
	/* Of buffers that write() and others read, older traces have the first byte only. */
	if (chess_event_is_access(a))
		return a->arg == 1 && b->arg;
	return (a->flags & CHESS_OPF_PROBE) && same_data(m, space, a->arg, b->arg);
}

static bool same_event(struct chess_moved *m, const struct chess_event *a,
		       const struct chess_event *b)
{
	uint64_t space = a->task < m->tasks ? m->space[a->task] : SPACES_OF_MEMORY;

	if (a->type != b->type || a->op != b->op || a->flags != b->flags ||
	    a->task != b->task || a->chosen != b->chosen || a->enabled != b->enabled ||
	    a->timed != b->timed)
		return false;
	/* Numbers of instructions that access memory go by the files there are. */
	if (a->nr != b->nr && !chess_event_is_access(a))
		return false;
	return same_object(m, space, a, b) && same_code(m, space, a->ip, b->ip) &&
	       same_end(m, space, a, b) && same_argument(m, space, a, b);
}

/* --- the loader -------------------------------------------------------------- */

/* Which tasks are still being loaded, as one goes along the events of a side. */
struct loading {
	bool *task;
	size_t n;
};

static int loading_init(struct loading *l, const struct side *s)
{
	l->n = chess_record_tasks(s->r);
	l->task = calloc(l->n + 1, sizeof(*l->task));
	return l->task ? 0 : -ENOMEM;
}

/* Is it a point of the loader of a program that has just been executed? */
static bool is_loading(struct loading *l, const struct side *s, const struct chess_event *e)
{
	if (e->task >= l->n)
		return false;
	if (e->type == CHESS_EVENT_EXEC)
		l->task[e->task] = s->loader_end;
	if (e->type != CHESS_EVENT_POINT || !l->task[e->task])
		return false;
	l->task[e->task] = !(e->flags & CHESS_OPF_PROBE) && e->ip >= s->loader &&
			   e->ip < s->loader_end;
	return l->task[e->task];
}

/* --- comparison -------------------------------------------------------------- */

/* After an execve() addresses mean something else. */
static void note_exec(struct chess_moved *m, const struct chess_event *e, size_t at)
{
	if (e->type == CHESS_EVENT_EXEC && at && e->task < m->tasks)
		m->space[e->task] = SPACES_OF_MEMORY + ++m->spaces;
	if (e->type == CHESS_EVENT_SPAWN && e->task < m->tasks && e->object < m->tasks)
		m->space[e->object] = m->space[e->task];
}

/*
 * A digest of what a task's calls returned that are not points says nothing where addresses
 * that it was given are others. Where all is in its place it has to be the same.
 */
static void judge_digests(struct chess_moved *m)
{
	if (m->moved || m->digest_a == SIZE_MAX || m->digest_a >= m->at_a)
		return;
	m->at_a = m->digest_a;
	m->at_b = m->digest_b;
}

/* What the loader did, where both did the same. */
static bool same_loading(const struct chess_moved *m, size_t from_a, size_t to_a, size_t from_b,
			 size_t to_b)
{
	bool same = to_a - from_a == to_b - from_b;

	for (; same && from_a < to_a; from_a++, from_b++) {
		const struct chess_event *a = chess_record_event(m->a.r, from_a);
		const struct chess_event *b = chess_record_event(m->b.r, from_b);

		same = a->nr == b->nr && a->ip == b->ip && a->result == b->result;
	}
	return same;
}

static size_t skip_loading(struct loading *l, const struct side *s, size_t i)
{
	while (i < chess_record_length(s->r) && is_loading(l, s, chess_record_event(s->r, i)))
		i++;
	return i;
}

static int compare(struct chess_moved *m)
{
	size_t i = 0, k = 0, n_a = chess_record_length(m->a.r), n_b = chess_record_length(m->b.r);
	struct loading of_a = { 0 }, of_b = { 0 };
	int ret = loading_init(&of_a, &m->a);

	if (!ret)
		ret = loading_init(&of_b, &m->b);
	for (; !ret; i++, k++) {
		size_t next_i = skip_loading(&of_a, &m->a, i);
		size_t next_k = skip_loading(&of_b, &m->b, k);
		const struct chess_event *a = chess_record_event(m->a.r, next_i);
		const struct chess_event *b = chess_record_event(m->b.r, next_k);

		m->moved |= !same_loading(m, i, next_i, k, next_k);
		i = next_i;
		k = next_k;
		if (!a || !b || !same_event(m, a, b))
			break;
		if (a->type == CHESS_EVENT_EXIT && a->arg != b->arg && m->digest_a == SIZE_MAX) {
			m->digest_a = i;
			m->digest_b = k;
		}
		note_exec(m, a, i);
		m->seq[k] = i + 1;
	}
	if (i == n_a && k == n_b)
		i = k = SIZE_MAX;
	m->at_a = i;
	m->at_b = k;
	judge_digests(m);
	free(of_a.task);
	free(of_b.task);
	return ret ? ret : m->error;
}

static int moved_init(struct chess_moved *m, const struct chess_record *a, const char *maps_a,
		      const struct chess_record *b, const char *maps_b)
{
	size_t i;
	int ret;

	m->a.r = a;
	m->b.r = b;
	m->digest_a = SIZE_MAX;
	ret = read_maps(&m->a, maps_a);
	if (!ret)
		ret = read_maps(&m->b, maps_b);
	/* Older traces may have none; the loader is where it was, if it has not moved. */
	if (!m->a.n_maps || !m->b.n_maps) {
		struct side *from = m->a.n_maps ? &m->a : &m->b;
		struct side *to = m->a.n_maps ? &m->b : &m->a;

		to->loader = from->loader;
		to->loader_end = from->loader_end;
	}
	m->tasks = chess_record_tasks(a);
	m->space = calloc(m->tasks + 1, sizeof(*m->space));
	m->seq = malloc((chess_record_length(b) + 1) * sizeof(*m->seq));
	if (ret || !m->space || !m->seq)
		return -ENOMEM;
	for (i = 0; i < m->tasks; i++)
		m->space[i] = SPACES_OF_MEMORY;
	for (i = 0; i < chess_record_length(b); i++)
		m->seq[i] = NO_SEQ;
	return 0;
}

struct chess_moved *chess_moved_new(const struct chess_record *a, const char *maps_a,
				    const struct chess_record *b, const char *maps_b)
{
	struct chess_moved *m = calloc(1, sizeof(*m));
	int ret = m ? moved_init(m, a, maps_a, b, maps_b) : -ENOMEM;

	if (!ret)
		ret = compare(m);
	if (!ret)
		return m;
	chess_moved_free(m);
	chess_set_error(-ret, "no memory to compare records of %zu and %zu events",
			chess_record_length(a), chess_record_length(b));
	return NULL;
}

void chess_moved_free(struct chess_moved *m)
{
	if (!m)
		return;
	free(m->a.map);
	free(m->b.map);
	free(m->to_a.slot);
	free(m->to_b.slot);
	free(m->space);
	free(m->seq);
	free(m);
}

bool chess_moved_same(const struct chess_moved *m, size_t *at_a, size_t *at_b)
{
	*at_a = m->at_a;
	*at_b = m->at_b;
	return m->at_a == SIZE_MAX;
}

/* Where a place of b's lies in a: in its file, or where an event has it. */
static uint64_t address_in_a(const struct chess_moved *m, uint64_t address)
{
	const struct chess_mapping *in = find_map(&m->b, address), *map;
	const struct pair *p;
	size_t i;

	for (i = 0; in && i < m->a.n_maps; i++) {
		uint64_t offset = address - in->start + in->offset;

		map = &m->a.map[i];
		if (same_file(m, map, in) && offset >= map->offset &&
		    offset - map->offset < map->end - map->start)
			return map->start + offset - map->offset;
	}
	p = find_name(&m->to_a, SPACES_OF_MEMORY, address);
	return p && p->space ? p->to : address;
}

void chess_moved_access(const struct chess_moved *m, struct chess_access *access)
{
	access->ip = address_in_a(m, access->ip);
	access->address = address_in_a(m, access->address);
	if (access->seq && access->seq <= chess_record_length(m->b.r) &&
	    m->seq[access->seq - 1] != NO_SEQ)
		access->seq = m->seq[access->seq - 1];
}

/* --- schedules ---------------------------------------------------------------- */

/* What one program's loading takes. */
struct stretch {
	uint16_t task;
	unsigned int nth;	/* program of that task, from 0 */
	size_t points, kept;	/* all of them; those at which it goes on */
};

struct stretches {
	struct stretch *v;
	size_t n;
};

static struct stretch *begin_stretch(struct stretches *all, uint16_t task)
{
	unsigned int nth = 0;
	size_t i;

	for (i = 0; i < all->n; i++)
		nth += all->v[i].task == task;
	if (chess_array_resize(&all->v, all->n + 1, sizeof(*all->v)))
		return NULL;
	all->v[all->n] = (struct stretch) { .task = task, .nth = nth };
	return &all->v[all->n++];
}

static struct stretch *last_stretch(const struct stretches *all, uint16_t task)
{
	size_t i = all->n;

	while (i--)
		if (all->v[i].task == task)
			return &all->v[i];
	return NULL;
}

static int find_stretches(const struct side *s, struct stretches *all)
{
	struct loading l = { 0 };
	int ret = loading_init(&l, s);
	size_t i;

	for (i = 0; !ret && i < chess_record_length(s->r); i++) {
		const struct chess_event *e = chess_record_event(s->r, i);
		struct stretch *in;

		if (e->type == CHESS_EVENT_EXEC && !begin_stretch(all, e->task))
			ret = -ENOMEM;
		if (ret || !is_loading(&l, s, e))
			continue;
		in = last_stretch(all, e->task);
		if (!in)
			continue;
		in->points++;
		in->kept += e->chosen == e->task;
	}
	free(l.task);
	return ret;
}

/* How many decisions more the loading that @of is about takes in @all. */
static long difference(const struct stretch *of, const struct stretches *all)
{
	size_t i;

	for (i = 0; i < all->n; i++)
		if (all->v[i].task == of->task && all->v[i].nth == of->nth)
			return (long)all->v[i].points - (long)of->points;
	return 0;
}

/* The decisions of a, with as many for each loading as b needs. */
static int write_schedule(const struct chess_moved *m, const struct stretches *of_a,
			  const struct stretches *of_b, struct chess_schedule *out)
{
	struct stretches seen = { 0 };
	struct loading l = { 0 };
	long *left = calloc(of_a->n + 1, sizeof(*left));
	int ret = left ? loading_init(&l, &m->a) : -ENOMEM;
	size_t i, k;

	for (i = 0; i < of_a->n && left; i++)
		left[i] = difference(&of_a->v[i], of_b);
	for (i = 0; !ret && i < chess_record_length(m->a.r); i++) {
		const struct chess_event *e = chess_record_event(m->a.r, i);
		bool loading = is_loading(&l, &m->a, e);
		struct stretch *in = NULL;

		if (e->type == CHESS_EVENT_EXEC) {
			/* They are found in the same order again. */
			if (!begin_stretch(&seen, e->task))
				ret = -ENOMEM;
			k = seen.n - 1;
			while (!ret && left[k] > 0) {
				ret = chess_schedule_push(out, e->task);
				left[k]--;
			}
		}
		if (!ret && loading && e->chosen == e->task)
			in = last_stretch(&seen, e->task);
		if (in && left[in - seen.v] < 0)
			left[in - seen.v]++;
		else if (!ret && chess_event_is_decision(e))
			ret = chess_schedule_push(out, e->chosen);
	}
	free(seen.v);
	free(l.task);
	free(left);
	return ret;
}

struct chess_schedule *chess_moved_schedule(const struct chess_moved *m)
{
	struct stretches of_a = { 0 }, of_b = { 0 };
	struct chess_schedule *s = chess_schedule_new();
	int ret = s ? find_stretches(&m->a, &of_a) : -ENOMEM;

	if (!ret)
		ret = find_stretches(&m->b, &of_b);
	if (!ret)
		ret = write_schedule(m, &of_a, &of_b, s);
	free(of_a.v);
	free(of_b.v);
	if (!ret)
		return s;
	chess_schedule_free(s);
	chess_set_error(-ret, "no memory for a schedule");
	return NULL;
}
