;; Operations on bitmaps and columns in one memory. Addresses are byte offsets, `length` is in bytes and a multiple of 16.
(module
  (import "index" "memory" (memory 1))

  (func (export "and") (param $target i32) (param $one i32) (param $other i32) (param $length i32)
    (local $at i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $length)))
        (v128.store (i32.add (local.get $target) (local.get $at))
          (v128.and
            (v128.load (i32.add (local.get $one) (local.get $at)))
            (v128.load (i32.add (local.get $other) (local.get $at)))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $next))))

  (func (export "or") (param $target i32) (param $one i32) (param $other i32) (param $length i32)
    (local $at i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $length)))
        (v128.store (i32.add (local.get $target) (local.get $at))
          (v128.or
            (v128.load (i32.add (local.get $one) (local.get $at)))
            (v128.load (i32.add (local.get $other) (local.get $at)))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $next))))

  ;; one and not other
  (func (export "andNot") (param $target i32) (param $one i32) (param $other i32) (param $length i32)
    (local $at i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $length)))
        (v128.store (i32.add (local.get $target) (local.get $at))
          (v128.andnot
            (v128.load (i32.add (local.get $one) (local.get $at)))
            (v128.load (i32.add (local.get $other) (local.get $at)))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $next))))

  ;; The number of bits that are set in both bitmaps.
  (func (export "countAnd") (param $one i32) (param $other i32) (param $length i32) (result i32)
    (local $at i32) (local $sums v128)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $length)))
        (local.set $sums
          (i32x4.add (local.get $sums)
            (i32x4.extadd_pairwise_i16x8_u
              (i16x8.extadd_pairwise_i8x16_u
                (i8x16.popcnt
                  (v128.and
                    (v128.load (i32.add (local.get $one) (local.get $at)))
                    (v128.load (i32.add (local.get $other) (local.get $at)))))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $next)))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
      (i32.add (i32x4.extract_lane 2 (local.get $sums)) (i32x4.extract_lane 3 (local.get $sums)))))

  ;; Sets the bits of the rows whose 32-bit unsigned value is at least $low and at most $high. A byte of the bitmap has 8 rows.
  (func (export "between")
    (param $target i32) (param $column i32) (param $low i32) (param $high i32) (param $length i32)
    (local $at i32) (local $lows v128) (local $highs v128) (local $four v128) (local $more v128)
    (local.set $lows (i32x4.splat (local.get $low)))
    (local.set $highs (i32x4.splat (local.get $high)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $length)))
        (local.set $four (v128.load (local.get $column)))
        (local.set $more (v128.load offset=16 (local.get $column)))
        (i32.store8 (i32.add (local.get $target) (local.get $at))
          (i32.or
            (i32x4.bitmask (v128.and
              (i32x4.ge_u (local.get $four) (local.get $lows))
              (i32x4.le_u (local.get $four) (local.get $highs))))
            (i32.shl
              (i32x4.bitmask (v128.and
                (i32x4.ge_u (local.get $more) (local.get $lows))
                (i32x4.le_u (local.get $more) (local.get $highs))))
              (i32.const 4))))
        (local.set $column (i32.add (local.get $column) (i32.const 32)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $next)))))
