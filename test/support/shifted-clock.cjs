/** Shifts the clock of the process by CLOCK_SHIFT_MS. */
const shift = Number(process.env.CLOCK_SHIFT_MS);
const RealDate = Date;
globalThis.Date = class Date extends RealDate {
  constructor(...given) {
    super(...(given.length > 0 ? given : [RealDate.now() + shift]));
  }

  static now() {
    return RealDate.now() + shift;
  }
};
