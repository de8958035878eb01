import { DynamicModule, Module } from '@nestjs/common';
import { Settings } from './settings';

/** Makes the settings injectable everywhere: `constructor(private readonly settings: Settings)`. */
@Module({})
export class SettingsModule {
  /** @param settings from `loadSettings`, or from `settingsFrom` in tests */
  static forRoot(settings: Settings): DynamicModule {
    const providers = [{ provide: Settings, useValue: settings }];
    return { module: SettingsModule, global: true, providers, exports: providers };
  }
}
