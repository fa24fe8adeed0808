#!/bin/sh
# Encodes the hero video and its poster from the frames of turn.py: film.sh FRAMES TARGET (without extension)
set -eu
frames=$1 target=$2
cycle=$(mktemp -d)
trap 'rm -rf "$cycle"' EXIT
# forwards and backwards, with each end frame once, so that the video loops without a pause
n=0
for i in $(seq 0 105) $(seq 104 -1 1); do
  ln -s "$(realpath "$frames")/$(printf 'frame-%03d.png' "$i")" "$cycle/$(printf '%03d.png' "$n")"
  n=$((n + 1))
done
look='unsharp=5:5:0.35,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p'
tags='-an -color_primaries bt709 -color_trc bt709 -colorspace bt709'
film() { nice -n 19 ffmpeg -loglevel error -y -framerate 30 -i "$cycle/%03d.png" -vf "$look" "$@"; }
# shellcheck disable=SC2086 -- the tags are several words
film -c:v libx264 -preset slow -crf 20 -profile:v high -movflags +faststart $tags "$target.mp4"
# shellcheck disable=SC2086
film -c:v libsvtav1 -preset 5 -crf 30 -g 240 $tags "$target.webm"
poster() { ffmpeg -loglevel error -y -i "$frames/frame-000.png" -frames:v 1 "$@"; }
poster -vf unsharp=5:5:0.35 -c:v libwebp -quality 80 "$target-poster.webp"
# shellcheck disable=SC2086
poster -vf 'unsharp=5:5:0.35,scale=out_color_matrix=bt709:out_range=pc,format=yuv420p' -c:v libaom-av1 -still-picture 1 -crf 24 \
  -cpu-used 2 -color_range pc -color_primaries bt709 -color_trc iec61966-2-1 -colorspace bt709 "$target-poster.avif"
