#!/bin/sh
# Measures this Mac for its listing.
#
#   sh macos.sh SHOP CODE          shows the report, asks, and sends it
#   sh macos.sh SHOP CODE --file   writes the report to a file, for a Mac without a network
#
# SHOP is the shop's address and CODE the one-time code of its page. The script installs nothing and changes nothing: it
# copies what macOS reports about the machine, and the shop reads it. macOS 10.15 or later is needed.
#
# What is sent:
#   - model, serial number and hardware UUIDs of the Mac, its processor and memory, and whether Activation Lock is on
#   - each built-in drive, and each at a Thunderbolt port: model, serial number, size, health, and the names of its volumes;
#     nothing that is on it
#   - graphics adapters, and the screens that are connected now
#   - the battery: serial number, capacity, charge cycles; the settings for saving power; the charger
#   - the version of macOS
#   - whether an organization manages the Mac, and the address of its server
#
# The report is text: a line "== NAME" begins a section, and each line of its content is indented by a tab.
set -u
LC_ALL=C
export LC_ALL

if [ $# -lt 2 ]; then
  echo "Usage: sh macos.sh SHOP CODE [--file]" >&2
  exit 2
fi
shop=$1
code=$2
mode=${3:-send}
tab=$(printf '\t')

# Writes a section with a command's output.
output() {
  printf '== %s\n' "$1"
  shift
  "$@" 2> /dev/null | head -c 131072 | sed "s/^/$tab/"
  echo
}

collect() {
  echo 'laptop-report 1'
  echo "code $code"
  echo 'system macos'
  output hardware system_profiler -json SPHardwareDataType
  output memory system_profiler -json SPMemoryDataType
  output storage system_profiler -json SPNVMeDataType SPSerialATADataType
  output displays system_profiler -json SPDisplaysDataType
  output power system_profiler -json SPPowerDataType
  output memory-bytes sysctl -n hw.memsize
  output processor sysctl -n machdep.cpu.brand_string
  output version sw_vers
  output enrollment profiles status -type enrollment
  # Shows that the report is complete.
  echo '== end'
}

report=$(mktemp) || exit 1
response=$(mktemp) || exit 1
trap 'rm -f "$report" "$response"' EXIT
collect > "$report"

# Keeps the report. Not by cp, which would copy that only the present user, with sudo root, may read it.
keep() {
  cat "$report" > laptop-report.txt
}

if [ "$mode" = --file ]; then
  keep || exit 1
  echo 'Written to laptop-report.txt. Upload this file on the page that showed you the code.'
  exit 0
fi

echo 'This will be sent:'
echo
cat "$report"
echo
printf 'Send these %s bytes to %s? [y/N] ' "$(wc -c < "$report" | tr -d ' ')" "$shop"
answer=
if [ -t 0 ]; then read -r answer
elif ! { read -r answer < /dev/tty; } 2> /dev/null; then
  echo 'There is no terminal to answer at. With --file the report is written to a file instead.'
fi
case $answer in
  y | Y | yes) ;;
  *)
    echo 'Nothing was sent.'
    exit 0
    ;;
esac

# Sends the report, and prints what the shop says about it.
send() {
  status=$(curl --silent --show-error --max-time 60 --header 'content-type: text/plain' \
    --data-binary @"$report" --output "$response" --write-out '%{http_code}' "$shop/measurements") || return 1
  cat "$response"
  case $status in
    2*) return 0 ;;
    *) return 1 ;;
  esac
}

send || {
  echo
  keep &&
    echo 'The shop did not accept the report. It is in laptop-report.txt; you can upload it on the page with the code.'
  exit 1
}
echo
