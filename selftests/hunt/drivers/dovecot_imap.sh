#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: dovecot-imapd dovecot-core
# threads: 4 processes
# prepare: printf 'protocols = imap\nbase_dir = %s/run\nlog_path = %s/log\n'\
# prepare: 'mail_location = maildir:%s/mail\nmail_uid = mail\nmail_gid = mail\n'\
# prepare: 'first_valid_uid = 1\n' $PWD $PWD $PWD >d.conf; chown mail . ; mkdir -p mail; chown \
# prepare: mail mail
# expect: two sessions that select the same new mailbox at a time both end well
[ -d mail ] && rm -rf mail/cur mail/new mail/tmp mail/dovecot*
printf 'a select INBOX\nb logout\n' | USER=mail /usr/lib/dovecot/imap -c d.conf >o1 2>e1 &
printf 'a select INBOX\nb logout\n' | USER=mail /usr/lib/dovecot/imap -c d.conf >o2 2>e2
wait $!
grep -q 'a OK' o1 && grep -q 'a OK' o2
