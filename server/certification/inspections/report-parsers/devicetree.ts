/**
 * Names of processors by their entry in the root node's `compatible`, which goes from the machine to the chip (Devicetree
 * Specification 0.4, 2.3.1). Where one entry stands for several products, the name says so.
 * Sources: Linux, Documentation/devicetree/bindings/arm/apple.yaml and qcom.yaml, and arch/arm64/boot/dts/qcom/ for laptops:
 * msm8998-lenovo-miix-630, sdm850-lenovo-yoga-c630 (its chip's entry is `qcom,sdm845`), sc7180-acer-aspire1, sc8180x-lenovo-flex-5g
 * and the Surface Pro X with SQ2, sc8280xp-lenovo-thinkpad-x13s, x1e78100-lenovo-thinkpad-t14s, and x1e80100-dell-xps13-9345,
 * which is sold with X Elite and X Plus.
 */
const processors: ReadonlyMap<string, string> = new Map([
  ['apple,t8103', 'Apple M1'],
  ['apple,t6000', 'Apple M1 Pro'],
  ['apple,t6001', 'Apple M1 Max'],
  ['apple,t8112', 'Apple M2'],
  ['apple,t6020', 'Apple M2 Pro'],
  ['apple,t6021', 'Apple M2 Max'],
  ['qcom,msm8998', 'Qualcomm Snapdragon 835 (MSM8998)'],
  ['qcom,sdm845', 'Qualcomm Snapdragon 845 or 850 (SDM845)'],
  ['qcom,sc7180', 'Qualcomm Snapdragon 7c or 7c Gen 2 (SC7180)'],
  ['qcom,sc7280', 'Qualcomm Snapdragon 7c+ Gen 3 (SC7280)'],
  ['qcom,sc8180x', 'Qualcomm Snapdragon 8cx or 8cx Gen 2 (SC8180X)'],
  ['qcom,sc8280xp', 'Qualcomm Snapdragon 8cx Gen 3 (SC8280XP)'],
  ['qcom,x1e78100', 'Qualcomm Snapdragon X Elite (X1E78100)'],
  ['qcom,x1p64100', 'Qualcomm Snapdragon X Plus (X1P64100)'],
  ['qcom,x1e80100', 'Qualcomm Snapdragon X Elite or X Plus (X1E80100)'],
  ['qcom,x1p42100', 'Qualcomm Snapdragon X or X Plus (X1P42100)'],
]);

/** MediaTek and Rockchip name their chips in `compatible` as they sell them: `mediatek,mt8183` is the MT8183. */
const namedChip = /^(mediatek|rockchip),((?:mt|rk)\d{4})$/;
const makers: Readonly<Record<string, string>> = { mediatek: 'MediaTek', rockchip: 'Rockchip' };

/**
 * The processor of a machine that is described by a devicetree, as are laptops with ARM processors.
 * @param compatible the root node's `compatible`, one entry a line
 * @returns null when no entry is known for certain
 */
export function devicetreeProcessor(compatible: string | undefined): string | null {
  for (const entry of (compatible ?? '').split('\n').slice(0, 16)) {
    const known = processors.get(entry);
    if (known !== undefined) return known;
    const [, maker = '', chip = ''] = namedChip.exec(entry) ?? [];
    if (chip !== '') return `${makers[maker]} ${chip.toUpperCase()}`;
  }
  return null;
}
