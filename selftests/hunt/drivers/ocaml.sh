#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: ocaml-nox ocaml-base-nox
# threads: 4
# prepare: printf 'let m = Mutex.create () let n = ref 0\n'\
# prepare: 'let add () = Mutex.lock m; incr n; Mutex.unlock m\n'\
# prepare: 'let () = let t = Thread.create add () in let u = Thread.create add () in\n'\
# prepare: ' Thread.join t; Thread.join u; exit (if !n = 2 then 0 else 1)\n' >t.ml
# prepare: ocamlopt -I +threads unix.cmxa threads.cmxa t.ml -o t
# expect: two threads under a mutex
exec ./t
