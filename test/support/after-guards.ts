import { CanActivate, Injectable } from '@nestjs/common';

/** Runs code in one request after its guards, before its content is validated and its handler is called. */
@Injectable()
export class AfterGuards implements CanActivate {
  private event: (() => Promise<unknown>) | undefined;

  /** Runs `event` in the next request. */
  next(event: (() => Promise<unknown>) | undefined): void {
    this.event = event;
  }

  async canActivate(): Promise<boolean> {
    const { event } = this;
    this.event = undefined;
    await event?.();
    return true;
  }
}
