#!/bin/sh
# Makes a machine ready to build and test Tarn: Debian packages by apt-get, everything else by
# tools/fetch_deps.py into .deps/. Quick when all is there; needs root (or sudo) only when it is not.
set -eu
cd "$(dirname "$0")/.."

installed() {
  # A tool that came another way than as its Debian package is as good.
  case $1 in
    npm) command -v npm >/dev/null && return ;;
    # Any PostgreSQL from version 12 on serves the tests.
    postgresql-15) ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && return ;;
    python3) command -v python3 >/dev/null && return ;;
    python3-venv) python3 -c 'import ensurepip, venv' 2>/dev/null && return ;;
  esac
  dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed
}

if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
  missing=
  for package in $(grep -v '^#' tools/debian-packages.txt); do
    installed "$package" || missing="$missing $package"
  done
  if [ -n "$missing" ]; then
    if [ "$(id -u)" = 0 ]; then
      as_root=
    elif command -v sudo >/dev/null; then
      as_root=sudo
    else
      echo "setup: these packages are missing, and installing them needs root:$missing" >&2
      echo "setup: have an administrator run: apt-get install --no-install-recommends$missing" >&2
      exit 1
    fi
    echo "installing Debian packages:$missing"
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    # PostgreSQL's package makes a cluster and starts it, which the tests do not want: they start their
    # own. So it is told not to, unless it is there already and has an owner with other wishes.
    made_config=
    if [ ! -e /etc/postgresql-common/createcluster.conf ]; then
      $as_root mkdir -p /etc/postgresql-common
      echo 'create_main_cluster = false' | $as_root tee /etc/postgresql-common/createcluster.conf >/dev/null
      made_config=yes
    fi
    status=0
    { $as_root apt-get update -q &&
      $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends -o Dpkg::Options::=--force-confold \
        $missing; } >"$log" 2>&1 || status=1
    # Later installations are the owner's again.
    if [ -n "$made_config" ]; then
      config=/etc/postgresql-common/createcluster.conf
      if [ -e $config.dpkg-dist ]; then $as_root mv $config.dpkg-dist $config; else $as_root rm -f $config; fi
    fi
    if [ $status != 0 ]; then
      cat "$log" >&2
      echo "setup: apt-get could not install the packages; its output is above" >&2
      exit 1
    fi
  fi

  # Two archives that the static libpq stands on come in a package that depends on a whole compiler:
  # they are taken out of it.
  deps=${TARN_DEPS:-.deps}
  if [ ! -e "$deps/postgresql/lib/libpgcommon_shlib.a" ] &&
     ! ls /usr/lib/postgresql/*/lib/libpgcommon_shlib.a >/dev/null 2>&1; then
    major=$(dpkg-query -W -f '${Version}' libpq-dev | sed 's/[^0-9].*//')
    mkdir -p "$deps"
    work=$(mktemp -d "$deps/postgresql-XXXXXX")
    # As root apt reads as a user of its own, who must get in.
    chmod 755 "$work"
    if ! (cd "$work" && apt-get download -q "postgresql-server-dev-$major") >"$work/log" 2>&1; then
      cat "$work/log" >&2
      rm -rf "$work"
      echo "setup: apt-get could not download postgresql-server-dev-$major; its output is above" >&2
      exit 1
    fi
    dpkg-deb -x "$work"/*.deb "$work/all"
    mkdir -p "$work/lib" "$work/include/common"
    mv "$work/all/usr/lib/postgresql/$major/lib/"libpgcommon_shlib.a \
       "$work/all/usr/lib/postgresql/$major/lib/"libpgport_shlib.a "$work/lib/"
    mv "$work/all/usr/include/postgresql/$major/server/getaddrinfo.h" "$work/include/" 2>/dev/null || true
    mv "$work/all/usr/include/postgresql/$major/server/common/fe_memutils.h" "$work/include/common/"
    rm -rf "$work/all" "$work"/*.deb "$work/log" "$deps/postgresql"
    mv "$work" "$deps/postgresql"
  fi
else
  for tool in c++ cmake ninja python3 npm; do
    if ! command -v $tool >/dev/null; then
      echo "setup: this is no Debian, so nothing was installed, and $tool is missing." >&2
      echo "setup: install the counterparts of what tools/debian-packages.txt lists, then run again." >&2
      exit 1
    fi
  done
fi

exec python3 tools/fetch_deps.py "$@"
