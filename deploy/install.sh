#!/bin/bash
# Installs this package as a live shop on Debian 12 or newer, with PostgreSQL and Caddy of Debian. As root, in the unpacked
# package: deploy/install.sh shop.example
# It asks for the keys that it lacks, or takes them from the environment. Run again, it keeps what exists.
set -euo pipefail

host=${1:-}
package=$(dirname "$(dirname "$(readlink -f "$0")")")
settings=/etc/coomercio/settings

fail() {
  printf '%s\n' "$1" >&2
  exit 1
}

[[ $host =~ ^[a-z0-9.-]+\.[a-z0-9-]+$ ]] || fail 'Usage: deploy/install.sh HOST, the name under which the shop is reached, such as shop.example'
[ "$(id -u)" = 0 ] || fail 'This needs root: it installs packages and writes to /etc.'
[ -d /run/systemd/system ] || fail 'This machine was not started by systemd. docs/deploy.md says how to run the shop without it.'
command -v apt-get >/dev/null || fail 'This script is for Debian. docs/deploy.md has each step.'
"$package/bin/node" --version >/dev/null || fail 'This package is for another kind of machine.'
if [ -e $settings ] && ! grep -qxF "PUBLIC_ORIGIN=\"https://$host\"" $settings; then
  fail "$settings has another PUBLIC_ORIGIN. Links in emails and passkeys belong to the old name; change it there if you mean it."
fi
if [ -e /opt/coomercio ] && [ "$(readlink -f /opt/coomercio)" != "$package" ]; then
  fail "This machine runs $(readlink -f /opt/coomercio). Another version is installed with: coomercio upgrade FILE"
fi

# Sets a variable to what the settings, the environment or, on a terminal, a person says.
missing=()
ask() {
  local name=$1 question=$2 kept=
  [ ! -e $settings ] || kept=$(sed -n "s/^$name=\"\(.*\)\"$/\1/p" $settings)
  [ -z "$kept" ] || declare -g "$name=$kept"
  if [ -z "${!name:-}" ] && [ -t 0 ]; then read -rp "$question: " "${name?}"; fi
  if [ -z "${!name:-}" ]; then missing+=("$name"); fi
  [[ ${!name:-} != *[\"\$\`\\]* ]] || fail "$name must not contain quotes, dollar signs, backticks or backslashes."
}
ask STRIPE_SECRET_KEY 'Secret key of Stripe (sk_live_… or sk_test_…)'
ask STRIPE_PUBLISHABLE_KEY 'Publishable key of Stripe (pk_…)'
ask SMTP_URL 'Mail server (smtps://user:password@mail.example:465)'
ask MAIL_FROM "Address of the sender of the shop's emails (hello@$host)"
[[ -z ${MAIL_FROM:-} || $MAIL_FROM =~ ^[^[:space:]@\<\>]+@[^[:space:]@\<\>]+$ ]] ||
  fail "Nothing was changed. MAIL_FROM is an address alone, such as hello@$host: the name of the sender is the shop's."
[ ${#missing[@]} = 0 ] || fail "Nothing was changed. Set these variables and run it again: ${missing[*]}"

echo 'Installing PostgreSQL and Caddy …'
export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
apt-get -qq install --no-install-recommends -o Dpkg::Use-Pty=0 postgresql caddy openssl util-linux >/dev/null
systemctl enable --quiet --now postgresql

id coomercio >/dev/null 2>&1 || useradd --system --home /var/lib/coomercio --shell /usr/sbin/nologin coomercio
install -d -m 700 -o coomercio -g coomercio /var/lib/coomercio /var/backups/coomercio
install -d -m 755 /etc/coomercio

if [ ! -e $settings ]; then
  password=$(openssl rand -hex 24)
  setpriv --reuid=postgres --regid=postgres --init-groups --reset-env \
    psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --dbname=postgres <<SQL
select 'create role coomercio login' where not exists (select from pg_roles where rolname = 'coomercio') \gexec
alter role coomercio createdb password '$password'; -- createdb: a backup is verified in a scratch database
select 'create database coomercio owner coomercio template template0 encoding UTF8'
  where not exists (select from pg_database where datname = 'coomercio') \gexec
SQL
  (
    umask 077
    cat >$settings.new <<SETTINGS
PUBLIC_ORIGIN="https://$host"
DATABASE_URL="postgres://coomercio:$password@127.0.0.1/coomercio"
COOMERCIO_SECRET="$(openssl rand -base64 48 | tr -d '\n')"
METRICS_TOKEN="$(openssl rand -hex 24)"
STRIPE_SECRET_KEY="$STRIPE_SECRET_KEY"
STRIPE_PUBLISHABLE_KEY="$STRIPE_PUBLISHABLE_KEY"
SMTP_URL="$SMTP_URL"
MAIL_FROM="$MAIL_FROM"
BACKUP_TO="/var/backups/coomercio"
SETTINGS
  )
  # The migration refuses wrong values with a sentence each, before they are kept.
  (
    # shellcheck source=/dev/null
    set -a && . $settings.new && set +a && cd /var/lib/coomercio &&
      COOMERCIO_DATA=/var/lib/coomercio HOME=/var/lib/coomercio \
        setpriv --reuid=coomercio --regid=coomercio --init-groups --no-new-privs \
        "$package/bin/node" "$package/bin/coomercio.js" migrate
  ) || { rm $settings.new && fail 'No value was kept. Correct it and run this again.'; }
  mv $settings.new $settings
fi

ln -sfn "$package" /opt/coomercio
install -m 755 "$package/deploy/coomercio.sh" /usr/local/bin/coomercio
install -m 644 "$package/deploy/coomercio@.service" /etc/systemd/system/
[ -e /etc/caddy/Caddyfile.before-coomercio ] || cp /etc/caddy/Caddyfile /etc/caddy/Caddyfile.before-coomercio
install -m 644 "$package/deploy/Caddyfile" /etc/caddy/Caddyfile
install -d /etc/systemd/system/caddy.service.d
printf '[Service]\nEnvironment=SHOP_HOST=%s\n' "$host" >/etc/systemd/system/caddy.service.d/coomercio.conf
systemctl daemon-reload

echo 'Starting the shop …'
systemctl enable --quiet coomercio@3001 coomercio@3002 caddy
for unit in coomercio@3001 coomercio@3002 caddy; do
  systemctl restart "$unit" || fail "$unit did not start. journalctl --unit $unit says why. Correct $settings, then run this again."
done

cat <<DONE
The shop runs at https://$host.
1. Open this link and register: that account becomes the owner, and sees the first steps.
   $(coomercio admin owner-link 2>/dev/null || echo "(The shop has an admin already: https://$host/login)")
2. Copy $settings to a safe place: without its COOMERCIO_SECRET a backup cannot be used.
DONE
