/** In how many periods money must have moved for a chart: fewer are some bars in an empty frame. */
export const FEWEST_IN_CHART = 3;
