type Real = (...args: unknown[]) => Promise<unknown>;
type Method<S> = { [M in keyof S]: S[M] extends (...args: never[]) => Promise<unknown> ? M : never }[keyof S];

/**
 * Lets something happen between the judgement of a request and its write, every time in the same place, where a race
 * meets it now and then: when `method` is called next, `event` runs to its end before it. To be undone by
 * `jest.restoreAllMocks` after the test.
 *
 * @param service the instance that the request reaches: `service.app.get(ManagersService)`
 * @param event mostly another request
 */
export function meanwhile<S extends object>(service: S, method: Method<S>, event: () => Promise<unknown>): void {
  const real = service[method] as Real;
  jest.spyOn(service as Record<string, Real>, method as string).mockImplementationOnce(async (...args) => {
    await event();
    return real.apply(service, args);
  });
}

/** Like `meanwhile`, but for what happens when `method` has done its work, before its caller goes on with the result. */
export function afterwards<S extends object>(service: S, method: Method<S>, event: () => Promise<unknown>): void {
  const real = service[method] as Real;
  jest.spyOn(service as Record<string, Real>, method as string).mockImplementationOnce(async (...args) => {
    const result = await real.apply(service, args);
    await event();
    return result;
  });
}
