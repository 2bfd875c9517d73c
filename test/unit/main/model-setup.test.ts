import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { modelsOf } from '../../../src/roles/model-setup.ts';

const start = (env: Record<string, string>) => () => modelsOf(loadConfig(env));

describe('starting with a model', () => {
  test('is refused with a sentence when the key or the address is missing', () => {
    expect(start({ DOCENT_MODEL: 'anthropic/claude-sonnet-5' })).toThrow(/set ANTHROPIC_API_KEY/);
    expect(start({ DOCENT_MODEL: 'openai/gpt-5.4' })).toThrow(/set OPENAI_API_KEY/);
    expect(start({ DOCENT_MODEL: 'openai-compatible/qwen3' })).toThrow(/set OPENAI_COMPATIBLE_BASE_URL/);
    expect(start({ DOCENT_MODEL: 'acme/large' })).toThrow(/DOCENT_MODEL must be builtin, anthropic\/<model>/);
  });

  test('goes with a key, and the key prints as a secret', () => {
    const config = loadConfig({ DOCENT_MODEL: 'openai/gpt-5.4', OPENAI_API_KEY: 'sk-real-key' });
    expect(modelsOf(config).find('openai/gpt-5.4')).toMatchObject({ contextTokens: 272_000 });
    expect(JSON.stringify(config)).not.toContain('sk-real-key');
  });

  test('is refused with a file of models that cannot be used', () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'docent-models-')), 'models.json');
    expect(start({ DOCENT_MODELS_FILE: file })).toThrow(/DOCENT_MODELS_FILE is .* ENOENT/);
    writeFileSync(file, '{"openai/gpt-5.4": {"contextTokens": 1}}');
    expect(start({ DOCENT_MODELS_FILE: file })).toThrow(/openai\/gpt-5\.4 → contextTokens/);
    writeFileSync(file, '{"openai/gpt-5.4": {"contextTokens": 100000}}');
    const config = loadConfig({ DOCENT_MODELS_FILE: file, OPENAI_API_KEY: 'x' });
    expect(modelsOf(config).find('openai/gpt-5.4').contextTokens).toBe(100_000);
  });
});
