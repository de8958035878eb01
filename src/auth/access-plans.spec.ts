import { Controller, Get, Injectable, Post } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { AccessPlans } from './access-plans';
import { Allow } from './access.decorator';
import { Public } from './public.decorator';
import { rules } from './rules';
import type { TargetFinder } from './target';
import { Targets } from './targets';

const box: TargetFinder = { segment: 'boxes/:id', failure: 'fileNotFound', find: () => Promise.resolve(undefined) };

@Controller('boxes')
class BoxesController {
  @Allow('account')
  @Get()
  list(): void {}

  @Allow('manager')
  @Get(':id')
  read(): void {}

  @Public()
  @Get('health')
  health(): void {}

  notAnOperation(): void {}
}

@Public()
@Controller('outside')
class OutsideController {
  @Get()
  read(): void {}
}

@Controller('careless')
class CarelessController {
  @Post()
  create(): void {}
}

@Injectable()
class Known {
  constructor(targets: Targets) {
    targets.register(box);
  }
}

async function plansOf(...controllers: (new () => object)[]): Promise<AccessPlans> {
  const providers = [AccessPlans, Targets, Known];
  const module = await Test.createTestingModule({ imports: [DiscoveryModule], controllers, providers }).compile();
  await module.init();
  return module.get(AccessPlans);
}

describe('the access plans', () => {
  it('hold rule and Targets of each operation', async () => {
    const plans = await plansOf(BoxesController);
    const { list, read } = BoxesController.prototype;
    expect(plans.of(list)).toEqual({ rule: rules.account, targets: [] });
    expect(plans.of(read)).toEqual({ rule: rules.manager, targets: [{ param: 'id', target: box }] });
  });

  it('leave out what is public, by itself or by its controller, and what is no operation', async () => {
    const plans = await plansOf(BoxesController, OutsideController);
    const { health, notAnOperation } = BoxesController.prototype;
    expect([health, notAnOperation, OutsideController.prototype.read].map((one) => plans.of(one))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('stop the start for an operation that says nothing of access', async () => {
    await expect(plansOf(CarelessController)).rejects.toThrow(
      'CarelessController.create has no access rule: add @Access(...).',
    );
  });
});
