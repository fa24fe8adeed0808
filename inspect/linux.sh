#!/bin/sh
# Measures this laptop for its listing.
#
#   sudo sh linux.sh SHOP CODE          shows the report, asks, and sends it
#   sudo sh linux.sh SHOP CODE --file   writes the report to a file, for a laptop without a network
#
# SHOP is the shop's address and CODE the one-time code of its page. The script installs nothing and changes nothing. It
# only copies what the firmware, the battery and the drives report, and where tpm2-tools are installed lets the security
# chip (TPM) sign the code; the shop reads it. Without sudo it can read neither
# the serial number nor the memory modules, and the shop shows these as unknown.
#
# The report is text: a line "== NAME" begins a section, and each line of its content is indented by a tab.
set -u
LC_ALL=C
export LC_ALL

# Tests read a prepared tree instead of this machine's.
ROOT=${INSPECT_ROOT:-}
# Longer sections are cut.
MAXIMUM_SECTION_BYTES=131072

if [ $# -lt 2 ]; then
  echo "Usage: sudo sh linux.sh SHOP CODE [--file]" >&2
  exit 2
fi
shop=$1
code=$2
mode=${3:-send}

# Writes one section from standard input; none without content.
section() {
  # Names come from the kernel and the firmware too, and the shop accepts only these characters in them.
  title=$(printf %s "$1" | tr -c 'A-Za-z0-9_.:/ -' _ | cut -c 1-120)
  # A file of the devicetree separates its texts by zeros.
  content=$(head -c "$MAXIMUM_SECTION_BYTES" | tr '\000' '\n' | sed 's/^/\t/')
  if [ -z "$content" ]; then return; fi
  cat << END
== $title
$content

END
}

# Files of /sys and /proc are read to know whether they can be read. Their size is 0 or 4096 whatever they contain, and
# reading fails where the kernel does not get the value, although the file and its permissions are there.

# Writes a section with a file's content, if it can be read.
file() {
  head -c "$MAXIMUM_SECTION_BYTES" "$ROOT$2" 2> /dev/null | section "$1"
}

# Writes a section with the first line of a file that begins with a text, if it can be read.
line() {
  sed -n "/^$3/{p;q;}" "$ROOT$2" 2> /dev/null | section "$1"
}

# Writes a section with a file's bytes in hexadecimal, if it can be read.
bytes() {
  od -An -v -tx1 "$ROOT$2" 2> /dev/null | section "$1"
}

# Writes a section with a command's output, if the command exists. A drive that does not answer must not stop the rest.
output() {
  name=$1
  shift
  if command -v "$1" > /dev/null 2>&1; then timeout 20 "$@" 2> /dev/null | section "$name"; fi
}

# Lets the TPM sign the code, so that the shop recognizes this TPM. The key is derived from the TPM's own seed: it is the
# same each time and need not be kept. The TPM forgets it when the last command ends.
quote() {
  if ! [ -e "$ROOT/dev/tpmrm0" ] || ! command -v tpm2_quote > /dev/null 2>&1; then return; fi
  nonce=$(printf %s "$code" | sha256sum | cut -c 1-64)
  (
    # Tests use a TPM of software.
    TPM2TOOLS_TCTI=${TPM2TOOLS_TCTI:-device:/dev/tpmrm0}
    export TPM2TOOLS_TCTI
    cd "$folder" || exit 1
    timeout 60 tpm2_createprimary -C e -G ecc256:ecdsa-sha256:null -g sha256 -c context \
      -a 'fixedtpm|fixedparent|sensitivedataorigin|userwithauth|restricted|sign' &&
      timeout 20 tpm2_readpublic -c context -o key &&
      timeout 20 tpm2_quote -c context -l sha256:0 -g sha256 -q "$nonce" -m quote -s signature
    status=$?
    tpm2_flushcontext -t
    exit "$status"
  ) > /dev/null 2>&1 || return
  for name in key quote signature; do od -An -v -tx1 < "$folder/$name" | section "tpm/$name"; done
}

collect() {
  echo 'laptop-report 1'
  echo "code $code"
  echo 'system linux'

  for name in sys_vendor product_name product_version product_serial board_vendor board_name board_serial \
    bios_vendor bios_version bios_date; do
    file "dmi/$name" "/sys/class/dmi/id/$name"
  done
  # The processor's name is the same for each core; other lines of /proc/cpuinfo may have a serial number.
  line cpuinfo /proc/cpuinfo 'model name'
  line meminfo /proc/meminfo MemTotal
  line os-release /etc/os-release PRETTY_NAME

  # A laptop without /proc/cpuinfo's "model name" (ARM) says here which processor it has.
  for name in model compatible; do
    file "devicetree/$name" "/sys/firmware/devicetree/base/$name"
  done

  # Batteries have any name. Those of a mouse or a keyboard have the scope "Device", and often its address in their name.
  for supply in "$ROOT"/sys/class/power_supply/*; do
    if [ "$(cat "$supply/type" 2> /dev/null)" != Battery ]; then continue; fi
    if [ "$(cat "$supply/scope" 2> /dev/null)" = Device ]; then continue; fi
    for name in energy_full_design energy_full charge_full_design charge_full voltage_min_design cycle_count; do
      file "battery/${supply##*/}/$name" "${supply#"$ROOT"}/$name"
    done
  done

  # The built-in screen.
  for screen in "$ROOT"/sys/class/drm/*-eDP-*/edid "$ROOT"/sys/class/drm/*-LVDS-*/edid; do
    connector=${screen%/edid}
    bytes "edid/${connector##*/}" "${screen#"$ROOT"}"
  done

  # Whether a BIOS password is set, and the state of Absolute Persistence.
  for password in "$ROOT"/sys/class/firmware-attributes/*/authentication/*/is_enabled; do
    attribute=${password#"$ROOT"/sys/class/firmware-attributes/}
    file "firmware/$attribute" "${password#"$ROOT"}"
  done
  for value in "$ROOT"/sys/class/firmware-attributes/*/attributes/Absolute*/current_value; do
    attribute=${value#"$ROOT"/sys/class/firmware-attributes/}
    file "firmware/$attribute" "${value#"$ROOT"}"
  done

  # Drives, as the kernel lists them: `size` counts sectors of 512 bytes, whatever the drive's own sector size. The link
  # leads through the bus to which the drive is connected, such as USB.
  for drive in "$ROOT"/sys/block/nvme* "$ROOT"/sys/block/sd* "$ROOT"/sys/block/mmcblk*; do
    if ! [ -e "$drive" ]; then continue; fi
    device=${drive##*/}
    case $device in mmcblk*boot* | mmcblk*rpmb*) continue ;; esac
    link=$(readlink "$drive")
    type=$(cat "$drive/device/type" 2> /dev/null)
    printf %s "$link" | section "drive/$device/link"
    printf %s "$type" | section "drive/$device/device/type"
    for name in size removable hidden queue/rotational device/model device/name device/device/removable; do
      file "drive/$device/$name" "${drive#"$ROOT"}/$name"
    done
    # USB drives and SD cards are not the laptop's, so nothing that identifies them is sent. smartctl gives the drive's
    # verdict, its attributes and statistics; it reads the running machine, so tests with a prepared tree put their own in
    # front of the PATH.
    case $device:$type:$link in
      *:SD:* | *:*/usb[0-9]*) continue ;;
      nvme* | sd*) output "smart/$device" smartctl -H -A -l devstat --json=c "/dev/$device" ;;
    esac
    file "drive/$device/device/serial" "${drive#"$ROOT"}/device/serial"
  done

  # Graphics adapters, PCI class 03. Their names are in a list of lspci, if it is installed.
  for adapter in "$ROOT"/sys/bus/pci/devices/*; do
    class=$(cat "$adapter/class" 2> /dev/null)
    case $class in
      0x03*)
        printf %s "$class" | section "graphics/${adapter##*/}/class"
        file "graphics/${adapter##*/}/removable" "${adapter#"$ROOT"}/removable"
        ;;
    esac
  done
  output lspci lspci -mm -nn

  # The memory modules, in the firmware's own table.
  bytes smbios /sys/firmware/dmi/tables/DMI

  quote
  # Shows that the report is complete.
  echo '== end'
}

folder=$(mktemp -d) || exit 1
report=$folder/report
response=$folder/response
trap 'rm -rf "$folder"' EXIT
# A pattern without a match stays as it is; file and output then find nothing to read.
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
# With "curl | sh", standard input is the script itself.
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
  if ! command -v curl > /dev/null 2>&1; then
    wget -q -O - --timeout=60 --header='content-type: text/plain' --post-file="$report" "$shop/measurements"
    return
  fi
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
