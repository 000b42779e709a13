/*
 * How atrest-keyserver counts attempts: two servers, three attempts, a primary of PostgreSQL and its standbys. Spin
 * visits every order of the steps, with a crash of each server, lost connections and a fail-over at each of them.
 * docs/KeyServerModel.md says what is modelled, what is not, and what was found.
 *
 * Three things must never happen (PROPERTY has a bit for each of them):
 *   1  a free try: more attempts without a proof are evaluated than the limit allows
 *   2  a wrong "wrong": the right passphrase is answered with "authentication failed"
 *   4  a lost key: a new primary lacks what a client was told to be stored
 */
#ifndef PROPERTY
#define PROPERTY 7
#endif
/* The attempts that are evaluated until one is proved: AttemptRules.limit. */
#ifndef LIMIT
#define LIMIT 2
#endif
/* The account of the third attempt, 0 or 1. Attempts at different accounts share a transaction. */
#ifndef OTHER
#define OTHER 0
#endif
/* The transactions of a server at a time: AttemptQueue.maximumTransactions. */
#ifndef TRANSACTIONS
#define TRANSACTIONS 2
#endif
/* The first primary with its standbys, 2 or 3. */
#ifndef NODES
#define NODES 2
#endif
/* The standbys that must have a commit before it is answered: ANY k in synchronous_standby_names, 0 for none. */
#ifndef SYNC
#define SYNC 1
#endif
/* 1: the first primary is stopped for good before a standby is promoted. 0: it may go on. */
#ifndef FENCED
#define FENCED 1
#endif
/* 1: of two standbys, the one that has more is promoted. 0: either of them. */
#ifndef NEWEST
#define NEWEST 0
#endif
/* 1: the wait for the standbys can be cancelled. The commit is then answered without them, with a warning. */
#ifndef CANCELLED
#define CANCELLED 0
#endif
/* 1: a server takes a commit with this warning for one whose outcome is unknown. */
#ifndef HEEDS
#define HEEDS 1
#endif
/* The controls, faults that have to be found: 1 evaluates before the commit, */
#ifndef EVALUATES_FIRST
#define EVALUATES_FIRST 0
#endif
/* and 1 forgets all attempts with a proof, and calls one that it does not know wrong. */
#ifndef FORGETS
#define FORGETS 0
#endif

/* Restrictions that make a short form: 0 proves nothing, 0 kills no server. */
#ifndef PROOFS
#define PROOFS 1
#endif
#ifndef CRASHES
#define CRASHES 2
#endif

#define ATTEMPTS 3
/* Transactions: one for each attempt that leads others, one for each proof, and the registration. */
#define PROOF 3
#define REGISTRATION 6
#define ALL 7

#define BIT(a) (1 << (a))
#if OTHER
#define ACCOUNT(a) ((a) == 2)
#define OF(account) ((account) -> 4 : 3)
#else
#define ACCOUNT(a) 0
#define OF(account) 7
#endif
#define COUNT(m) (((m) & 1) + (((m) >> 1) & 1) + (((m) >> 2) & 1))

/* The nodes of PostgreSQL. A standby receives what its primary has on disk, in the order of the commits. */
mtype = { standby, primary, dead };
mtype role[NODES];
byte follows[NODES];    /* the primary of a standby */
byte need[NODES];       /* the standbys that must have a commit, as the node is configured */
byte pending[NODES];    /* AttemptCounter.pending, a bit for each attempt */
byte settled[NODES];    /* AttemptCounter.settled */
bool registered[NODES]; /* AccountRecord.verifyingKey on disk, */
bool visible[NODES];    /* and as other transactions see it */
#if NEWEST
byte version[NODES];    /* the number of commits */
#endif
/* The lock of the row of an account's attempts: 0, a transaction + 1, or GHOST for one whose connection was lost. */
byte lock[2 * NODES];
#define LOCK(node, account) lock[2 * (node) + (account)]
#define GHOST 99

/* A transaction. FREE: none. SENT: the last statements went out with COMMIT, and the locks are held. FLUSHED: on the
   primary's disk, but not visible, and the locks are held. ANSWERED: visible, and the answer is on its way. */
#define FREE 0
#define SENT 1
#define FLUSHED 2
#define ANSWERED 3
byte tx[ALL];
byte at[ALL];           /* its node */
byte by[ALL];           /* its server */
byte adds[ATTEMPTS];    /* the attempts that it counts */
byte has[ALL];          /* the standbys that have it */
bool warned[ALL];       /* it was answered without them */
bool cut[ALL];          /* the connection was lost */
bool left[ALL];         /* nobody waits for it any more */

/* A server. AttemptQueue.State, and the requests that it is answering. */
byte transactions[2];
byte waiting[2];
#define OUTSIDE 9
byte where[2 * ATTEMPTS];
bool hit[2 * ATTEMPTS]; /* the server was killed meanwhile */
byte outcome[ATTEMPTS];
#define LEADS 1
#define COUNTED 2
#define FAILED 3        /* refused, or unknown */

/* What the world has seen. */
byte evaluated;
byte cleared;           /* the attempts that were proved, and those that a proof settled */
bool told;              /* the client knows that its passphrase is registered */
bool begun;
byte started;
byte crashes;
bool killed;
bool promoted;

inline check_evaluation(a) {
  evaluated = evaluated | BIT(a);
  assert(!(PROPERTY & 1) || COUNT(evaluated & ~cleared & OF(ACCOUNT(a))) <= LIMIT)
}

inline unlock(t) {
  for (k : 0 .. 2 * NODES - 1) {
    if
    :: lock[k] == t + 1 -> lock[k] = 0
    :: else
    fi
  }
  k = 0
}

inline forget(t) { tx[t] = FREE; at[t] = 0; by[t] = 0; has[t] = 0; warned[t] = false; cut[t] = false; left[t] = false }

/* The server does not wait for the answer any more. PostgreSQL may do what it was sent nonetheless. */
inline leave(t) {
  if
  :: tx[t] == SENT || tx[t] == FLUSHED -> left[t] = true; cut[t] = true; by[t] = 0
  :: else -> forget(t)
  fi
}

#if OTHER
#define CAN_LOCK(node, batch) \
  ((!(batch & 3) || LOCK(node, 0) == 0) && (!(batch & 4) || LOCK(node, 1) == 0))
#else
#define CAN_LOCK(node, batch) (LOCK(node, 0) == 0)
#endif
#if NODES > 2
#define CAN_BEGIN(batch) ((role[0] == primary && CAN_LOCK(0, batch)) || \
  (role[1] == primary && CAN_LOCK(1, batch)) || (role[2] == primary && CAN_LOCK(2, batch)))
#else
#define CAN_BEGIN(batch) ((role[0] == primary && CAN_LOCK(0, batch)) || (role[1] == primary && CAN_LOCK(1, batch)))
#endif

/* Database.take(), with target_session_attrs=read-write: any node that accepts writes, of which there may be two.
   BEGIN, and Transaction.lockAttempts of the accounts in `batch`. */
inline begin(t, batch) {
  n = 9;
  if
  :: role[0] == primary && CAN_LOCK(0, batch) -> n = 0
  :: role[1] == primary && CAN_LOCK(1, batch) -> n = 1
#if NODES > 2
  :: role[2] == primary && CAN_LOCK(2, batch) -> n = 2
#endif
  fi;
  at[t] = n;
  if
  :: batch & OF(0) -> LOCK(n, 0) = t + 1
  :: else
  fi;
#if OTHER
  if
  :: batch & OF(1) -> LOCK(n, 1) = t + 1
  :: else
  fi;
#endif
  n = 0
}

/* The connection is lost before COMMIT is sent. PostgreSQL keeps the locks until it notices. */
inline lose(t) {
  for (k : 0 .. 2 * NODES - 1) {
    if
    :: lock[k] == t + 1 -> lock[k] = GHOST
    :: else
    fi
  }
  k = 0; at[t] = 0
}

/* CountedAttempt.evaluate, after the commit. A server that is killed before it answers is one that is killed before
   it evaluates, for a client that does not know the attempt and for a thief who does not see the evaluation. */
inline evaluate(a) {
  if
#if !EVALUATES_FIRST
  :: outcome[a] == COUNTED -> check_evaluation(a)
#else
  :: outcome[a] == COUNTED
#endif
  :: else -> right = false
  fi;
  outcome[a] = 0; where[a] = OUTSIDE; s = 0
}

proctype Attempt(byte a) {
  byte s, tries, batch, n, i, k;
  bool right;

  {
    /* The balancer sends it to any server. AttemptQueue.count: the attempt leads a transaction, or waits. */
    atomic {
      /* Attempts at one account are alike, and so are the servers, so one order of them is enough. */
      begun && (OTHER || started == a);
      started++;
      if
      :: right = false
      :: PROOFS && told -> right = true
      fi;
      if
      :: s = 0
      :: started > 1 || OTHER -> s = 1
      fi;
      where[a] = s;
      if
      :: transactions[s] < TRANSACTIONS -> transactions[s]++; batch = BIT(a)
      :: else -> waiting[s] = waiting[s] | BIT(a)
      fi
    }
    atomic {
      if
      :: batch
      :: outcome[a] == LEADS -> outcome[a] = 0; batch = BIT(a)
      :: outcome[a] > LEADS
      fi;
#if OTHER
      /* takeBatch: one attempt of each other account. */
      if
      :: batch && a == 2 && (waiting[s] & 1) -> batch = batch | 1
      :: batch && a == 2 && (waiting[s] & 2) -> batch = batch | 2
      :: batch && a != 2 && (waiting[s] & 4) -> batch = batch | 4
      :: else
      fi;
      waiting[s] = waiting[s] & ~batch
#endif
    }
    /* KeyServerStore.count(_: [AttemptRequest]) in Database.joinedTransaction */
    do
    :: atomic { batch && tries < 2 && CAN_BEGIN(batch) ->
         begin(a, batch);
         if
         :: adds[a] = 0;
            for (i : 0 .. ATTEMPTS - 1) {
              if
              :: (batch & BIT(i)) && COUNT(pending[at[a]] & OF(ACCOUNT(i))) < LIMIT -> adds[a] = adds[a] | BIT(i)
              :: else
              fi
            }
            i = 0; tries = 0; tx[a] = SENT; by[a] = s;
            break
         :: lose(a); tries++    /* Before the commit, it is repeated once on a new connection. */
         fi }
       /* There is no primary, or lock_timeout is over, or the second connection was lost. */
    :: atomic { batch -> tries = 0; break }
    :: !batch -> break
    od;
#if EVALUATES_FIRST
    if
    :: batch && tx[a] == SENT && (adds[a] & BIT(a)) -> check_evaluation(a)
    :: else
    fi;
#endif
    if
    :: batch ->
      /* Without the answer to COMMIT it is unknown whether the attempts were counted, and they fail. Otherwise each
         of them has its outcome. Then AttemptQueue.handOver. */
      atomic {
        if
        :: tx[a] == ANSWERED && !(HEEDS && warned[a]) -> n = adds[a]
        :: true -> n = 0        /* at any time: the connection, or the time to wait, is over */
        fi;
        leave(a);
        if :: tx[a] == FREE -> adds[a] = 0 :: else fi;
        for (i : 0 .. ATTEMPTS - 1) {
          if
          :: batch & BIT(i) -> outcome[i] = ((n & BIT(i)) -> COUNTED : FAILED)
          :: else
          fi
        }
        i = 0; n = 0; batch = 0;
        if
        :: waiting[s] & 1 -> waiting[s] = waiting[s] & ~1; outcome[0] = LEADS
        :: waiting[s] & 2 -> waiting[s] = waiting[s] & ~2; outcome[1] = LEADS
        :: waiting[s] & 4 -> waiting[s] = waiting[s] & ~4; outcome[2] = LEADS
        :: waiting[s] == 0 -> transactions[s]--
        fi;
        evaluate(a)
      }
    :: else -> atomic { evaluate(a) }
    fi
  } unless { atomic { hit[a] ->
    where[a] = OUTSIDE; hit[a] = false; outcome[a] = 0; right = false; s = 0; tries = 0; batch = 0; n = 0; i = 0; k = 0
  } };

  /* KeyServerStore.prove, by either server */
  if
  :: right ->
    {
      atomic {
        if :: s = 0 :: s = 1 fi;
        where[PROOF + a] = s
      }
      if
      :: atomic { CAN_BEGIN(BIT(a)) ->
           begin(PROOF + a, BIT(a));
           n = pending[at[PROOF + a]] | settled[at[PROOF + a]];
           if
           :: !visible[at[PROOF + a]] ->
             /* No passphrase is registered, so the proof is "wrong". */
             assert(!(PROPERTY & 2)); unlock(PROOF + a); at[PROOF + a] = 0
           :: visible[at[PROOF + a]] && !(n & BIT(a)) ->
             /* "Try again" */
             assert(!(PROPERTY & 2) || !FORGETS); unlock(PROOF + a); at[PROOF + a] = 0
           :: visible[at[PROOF + a]] && (n & BIT(a)) -> tx[PROOF + a] = SENT; by[PROOF + a] = s
           fi;
           n = 0
         }
      :: true                   /* The database cannot be reached. */
      fi;
      /* The answer, or the connection is lost. */
      atomic {
        if
        :: tx[PROOF + a] == ANSWERED || tx[PROOF + a] == FREE
        :: true
        fi;
        leave(PROOF + a); where[PROOF + a] = OUTSIDE
      }
    } unless { atomic { hit[PROOF + a] -> hit[PROOF + a] = false; where[PROOF + a] = OUTSIDE; n = 0; k = 0 } }
  :: else
  fi;
  atomic { s = 0; right = false }
}

/* KeyServerStore.register, or anything else that a client is told to be stored. Attempts begin after it. */
proctype Register() {
#if PROOFS
  atomic { at[REGISTRATION] = 0; tx[REGISTRATION] = SENT }
#endif
  atomic {
    if
    :: !PROOFS
    :: tx[REGISTRATION] == ANSWERED -> told = !(HEEDS && warned[REGISTRATION])
    :: true
    fi;
    leave(REGISTRATION); begun = true
  }
}

/* The locks go with the transaction, and what is known of it if nobody waits for it. */
#define DONE(t) \
  unlock(t); has[t] = 0; \
  if \
  :: left[t] -> forget(t); if :: t < PROOF -> adds[t] = 0 :: else fi \
  :: else \
  fi

/* What PostgreSQL was sent is done, or lost with the connection or the primary. */
proctype Backend(byte t) {
  byte k;
end:
  do
  :: atomic { tx[t] == SENT && role[at[t]] == primary ->
       if
       :: t < PROOF -> pending[at[t]] = pending[at[t]] | adds[t]
       :: t >= PROOF && t < REGISTRATION ->
         /* AttemptCounter.settle: the others can still be proved, and do not count any more. */
         cleared = cleared | (pending[at[t]] & OF(ACCOUNT(t - PROOF))) | BIT(t - PROOF);
#if FORGETS
         settled[at[t]] = 0;
#else
         settled[at[t]] = (settled[at[t]] | (pending[at[t]] & OF(ACCOUNT(t - PROOF)))) & ~BIT(t - PROOF);
#endif
         pending[at[t]] = pending[at[t]] & ~OF(ACCOUNT(t - PROOF))
       :: else -> registered[at[t]] = true
       fi;
#if NEWEST
       version[at[t]]++;
#endif
       tx[t] = FLUSHED
     }
  :: atomic { tx[t] == SENT && cut[t] -> tx[t] = FREE; DONE(t) }
  :: atomic { tx[t] == FLUSHED && role[at[t]] == primary && (CANCELLED || COUNT(has[t] >> 1) >= need[at[t]]) ->
       warned[t] = COUNT(has[t] >> 1) < need[at[t]];
       if :: t == REGISTRATION -> visible[at[t]] = true :: else fi;
       tx[t] = ANSWERED; DONE(t)
     }
  od
}

inline copy(from, to) {
  pending[to] = pending[from]; settled[to] = settled[from]; registered[to] = registered[from];
#if NEWEST
  version[to] = version[from];
#endif
  visible[to] = registered[from]
}

#define LACKED(t) (tx[t] == FLUSHED && at[t] == follows[n] && !(has[t] & BIT(n)))
#define LACKS (LACKED(0) || LACKED(1) || LACKED(2) || LACKED(3) || LACKED(4) || LACKED(5) || LACKED(6))

proctype Replication(byte n) {
  byte t;
end:
  do
    /* Each earlier state of a standby is one in which it has not received anything yet. */
  :: atomic { role[n] == standby && role[follows[n]] == primary && (pending[n] != pending[follows[n]] ||
       settled[n] != settled[follows[n]] || registered[n] != registered[follows[n]]) ->
       copy(follows[n], n);
       for (t : 0 .. ALL - 1) {
         if
         :: tx[t] == FLUSHED && at[t] == follows[n] -> has[t] = has[t] | BIT(n)
         :: else
         fi
       }
       t = 0
     }
     /* A commit that changed nothing that is modelled. */
  :: atomic { role[n] == standby && role[follows[n]] == primary && pending[n] == pending[follows[n]] &&
       settled[n] == settled[follows[n]] && registered[n] == registered[follows[n]] && LACKS ->
       for (t : 0 .. ALL - 1) {
         if
         :: tx[t] == FLUSHED && at[t] == follows[n] -> has[t] = has[t] | BIT(n)
         :: else
         fi
       }
       t = 0
     }
  od
}

#if NEWEST
#define MORE(a, b) (version[a] >= version[b])
#else
#define MORE(a, b) 1
#endif
proctype World() {
  byte n, t, k;
end:
  do
    /* PostgreSQL notices that a connection is gone. */
  :: atomic { lock[0] == GHOST || lock[1] == GHOST || lock[2] == GHOST || lock[3] == GHOST ->
       for (k : 0 .. 2 * NODES - 1) { if :: lock[k] == GHOST -> lock[k] = 0 :: else fi }
       k = 0
     }
    /* A server is killed, and started again. */
  :: atomic { begun && COUNT(crashes) < CRASHES ->
       if :: !(crashes & 1) -> n = 0 :: !(crashes & 2) -> n = 1 fi;
       crashes = crashes | BIT(n);
       for (t : 0 .. 2 * ATTEMPTS - 1) {
         if
         :: where[t] == n -> hit[t] = true
         :: else
         fi;
         if
         :: tx[t] != FREE && by[t] == n && !left[t] && where[t] == n -> leave(t)
         :: else
         fi
       }
       transactions[n] = 0; waiting[n] = 0; n = 0; t = 0
     }
    /* The primary is killed. What was not on its disk is lost, and so is each connection. */
  :: atomic { !killed && role[0] == primary ->
       killed = true; role[0] = dead; lock[0] = 0; lock[1] = 0;
       for (t : 0 .. ALL - 1) {
         if
         :: tx[t] != FREE && tx[t] != ANSWERED && at[t] == 0 ->
           tx[t] = FREE; at[t] = 0; by[t] = 0; has[t] = 0;
           if
           :: left[t] -> forget(t); if :: t < PROOF -> adds[t] = 0 :: else fi
           :: else
           fi
         :: else
         fi
       }
       t = 0
     }
    /* It is started again, instead of a fail-over, or in spite of one. */
  :: atomic { role[0] == dead && (!promoted || !FENCED) -> role[0] = primary; visible[0] = registered[0] }
    /* A fail-over. */
  :: atomic { !promoted && (role[0] == dead || !FENCED) ->
#if NODES > 2
       if
       :: !NEWEST || MORE(1, 2) -> n = 1
       :: !NEWEST || MORE(2, 1) -> n = 2
       fi;
#else
       n = 1;
#endif
       promoted = true; role[n] = primary; need[n] = 0; visible[n] = registered[n];
#if NODES > 2
       /* The other standby follows the new primary, or goes on with the former one if that is not fenced. */
       if
       :: copy(n, 3 - n); follows[3 - n] = n; need[n] = 1
       :: !FENCED
       fi;
#endif
       assert(!(PROPERTY & 4) || !told || registered[n]);
       /* What a node that is never used again has does not matter. */
       if
       :: FENCED -> pending[0] = 0; settled[0] = 0; registered[0] = false; visible[0] = false
       :: else
       fi;
       n = 0
     }
  od
}

init {
  byte t;
  atomic {
    role[0] = primary;
    for (t : 1 .. NODES - 1) { role[t] = standby }
#if !PROOFS
    for (t : 0 .. NODES - 1) { registered[t] = true; visible[t] = true }
    told = true;
#endif
    need[0] = SYNC;
    for (t : 0 .. 2 * ATTEMPTS - 1) { where[t] = OUTSIDE }
    run World();
    run Register();
    for (t : 1 .. NODES - 1) { run Replication(t) }
    for (t : 0 .. ALL - 1) { run Backend(t) }
    for (t : 0 .. ATTEMPTS - 1) { run Attempt(t) }
    t = 0
  }
}
