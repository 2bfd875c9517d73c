import { wholeNumber } from './readers.ts';
import { define, optional } from './setting.ts';

const FOR_EVER = 'forever';

/** How long finished data is kept; by default forever: see src/store/installation/retention.ts. */
export const retentionSettings = {
  jobsKeepDays: optional<number>({
    env: 'DOCENT_JOBS_KEEP_DAYS',
    about:
      'Days that an archived job is kept, at least 7. Its pull requests and its usage stay. Jobs with an ' +
      'open pull request are never deleted. See [data retention](/operate/retention).',
    shownDefault: FOR_EVER,
    read: wholeNumber(7, 36_500),
  }),
  transcriptsKeepDays: optional<number>({
    env: 'DOCENT_TRANSCRIPTS_KEEP_DAYS',
    about: "Days that an archived job's transcript is kept.",
    shownDefault: FOR_EVER,
    read: wholeNumber(1, 36_500),
  }),
  jobEventsKeepDays: optional<number>({
    env: 'DOCENT_JOB_EVENTS_KEEP_DAYS',
    about: "Days that an archived job's events are kept. The last one stays.",
    shownDefault: FOR_EVER,
    read: wholeNumber(1, 36_500),
  }),
  triggerEventsKeepDays: define({
    env: 'DOCENT_TRIGGER_EVENTS_KEEP_DAYS',
    about:
      'Days that received automation events are kept with their bodies, at least 7. A repeated delivery ' +
      'within this time starts no second run.',
    fallback: 30,
    read: wholeNumber(7, 3_650),
  }),
  temporalKeepDays: optional<number>({
    env: 'DOCENT_TEMPORAL_KEEP_DAYS',
    about:
      'Days that Temporal keeps histories of ended workflows, for the whole namespace. If workers may ' +
      'not set this, `docent status` reports it.',
    shownDefault: 'as the namespace has it',
    read: wholeNumber(1, 3_650),
  }),
};
