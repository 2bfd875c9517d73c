// Generated from openapi.yaml by `npm run generate`. Do not edit.

export interface paths {
    "/v2/agent/{projectId}/job": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an agent job
         * @description Accepts a prompt as a new job, which runs in the background. After this response, the job is carried
         *     out even if every process dies a moment later. To follow it, poll `GET /v2/agent/{projectId}/job/{id}`
         *     until its status is no longer `active`, or stream `GET …/events`.
         *
         *     `mode` defines what happens to the change. A mode that the project does not allow returns 403
         *     `push_not_allowed`.
         *
         *     All fields except the prompt are optional. Omitted fields use the defaults of the project or the
         *     server. Fields that you set are stored in the job; later changes to the project do not affect them.
         *
         *     A project accepts 100 new jobs per hour (configurable). Replays by `Idempotency-Key` do not count.
         */
        post: operations["createJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/agent/{projectId}/job/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /**
         * Get a job
         * @description Poll until `status` is `completed`, `archived` or `failed`.
         */
        get: operations["getJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a job's title, budget or metadata
         * @description Changes the given fields only, in any status of the job, without starting a turn. A new title applies
         *     to the next pull request; an open pull request keeps its title, because people may have edited it.
         *     Safe to repeat.
         *
         *     With `If-Match`, an outdated version returns 412 `precondition_failed`.
         */
        patch: operations["updateJob"];
        trace?: never;
    };
    "/v2/agent/{projectId}/job/{id}/message": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a follow-up message to a job
         * @description Accepts a message and makes the job `active`. Messages are carried out in the order in which they were
         *     accepted. A message sent while the agent works is read before the agent's next step. If a turn fails
         *     before the agent answers a message, the message is read together with the next one. An archived job
         *     accepts no messages (409 `job_archived`). A job that commits to the branch of a person's pull
         *     request takes messages only from there (403 `push_not_allowed`), unless the project's `allowPush` is on.
         *
         *     A project accepts 100 messages per hour (configurable).
         */
        post: operations["sendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/agent/{projectId}/job/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a job
         * @description For a job whose last turn failed or was refused (`outcome`). The job resumes where it left off:
         *     unanswered messages are carried out, answered ones are sent again, and a preview that could not be
         *     published is published. If you set `model`, the job uses that model from now on.
         *
         *     If the job is `active`, the response is 409 `job_active`, so a second retry has no effect. An archived
         *     job returns `job_archived`. A job whose last turn neither failed nor was refused returns
         *     `nothing_to_retry`. Messages that are sent again count toward the hourly limit.
         */
        post: operations["retryJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/agent/{projectId}/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * List a project's jobs
         * @description Newest first. All filters must match. The list is stable while jobs are added: following `nextCursor`
         *     returns each job that existed at the start exactly once.
         */
        get: operations["listJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/agent/{projectId}/job/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a job
         * @description Drops waiting messages and ends the running turn within about 5 seconds. Incomplete changes are not
         *     published. The response may still have the status `active`; the job then becomes `completed`, with a
         *     summary that says that it was canceled. A job that is not active returns 409 `job_not_active`. The
         *     body is ignored.
         */
        post: operations["cancelJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/agent/{projectId}/job/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive a job
         * @description Works in any status. Safe to repeat. A running turn is canceled: after this response, the job pushes
         *     nothing. Waiting messages and those of the running turn are dropped. Jobs without a message for 30
         *     days (configurable) are archived automatically. The body is ignored.
         */
        post: operations["archiveJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/agent/{projectId}/job/{id}/unarchive": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unarchive a job
         * @description Restores the job's last status. The job accepts messages again. A job that is not archived returns 409
         *     `job_not_archived`. The body is ignored.
         */
        post: operations["unarchiveJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/agent/{projectId}/job/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /**
         * Follow a job's progress
         * @description The events of the job, in order, as readable sentences. To get newer events, set `after` to the last
         *     number that you have. With `waitSeconds`, the response is delayed until there is a new event, the job
         *     is no longer active, or the time is up.
         *
         *     **Live.** With `Accept: text/event-stream`, the response is a stream of server-sent events (WHATWG
         *     HTML). It contains all events after `after`, then each new event, and the model's text within about
         *     half a second while the model writes. Each event has its `type` as `event:` and is one line of JSON in
         *     `data:`. Job events have their number as `id:`. `words`, `progress` and `end` have none, because they
         *     are not stored. A comment is sent every 15 seconds while nothing happens.
         *
         *     **Retention.** If the operator sets `DOCENT_JOB_EVENTS_KEEP_DAYS`, the events of a job are deleted
         *     that many days after it was archived, except the last one. A response, or a stream opened with an old
         *     `Last-Event-ID`, then starts with that event.
         *
         *     The stream ends with the event `end` when the job is idle, or with `follow=true` when it is archived.
         *     A stream without `end` was interrupted, for example by a server restart. Reopen it with
         *     `Last-Event-ID` at any server: no event is lost or repeated. Browsers do this automatically; if there
         *     is nothing more to send, the response is 204 and browsers stop. `limit`, `waitSeconds` and `progress`
         *     have no effect on streams.
         *
         *     A caller can open 100 streams per server (429 `rate_limited`). A server accepts 1,000 (503
         *     `unavailable`). A client that reads nothing for 60 seconds is disconnected. When a key is revoked, its
         *     streams end within seconds.
         */
        get: operations["listJobEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/agent/{projectId}/job/{id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /**
         * Get a job's changes
         * @description The published changes by turn, the whole diff of the newest pull request, and in `pending` the
         *     unpublished changes: those of a running turn, which may lag by a step, or those of a preview. Each
         *     diff lists its files with the number of changed lines. Published diffs are cut at 1 MB and unpublished
         *     diffs at 4 MB, at a file boundary, with a line that states it.
         *
         *     With `Accept: text/x-diff`, the response is a patch for `git apply`. It contains the unpublished
         *     changes, based on the commit `pending.baseCommit`. If there are none, it contains the newest pull
         *     request, based on the commit where its branch left the base branch. It is empty if there is neither. A
         *     patch that would be cut, or that may contain a secret, returns 409 `diff_incomplete`.
         */
        get: operations["getJobDiff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/agent/{projectId}/job/{id}/diff/page": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /**
         * Get a changed page before and after the change
         * @description A Markdown or MDX page of `GET …/diff`, complete, before and after the change, for a preview.
         *     Unpublished pages are stored as of the last step that changed a file, pages of the newest pull request
         *     as of the last push. At most 200 pages of 256 K characters each and 1 M characters in total are
         *     stored; other pages are not `kept`. Texts that may contain a secret are not stored.
         */
        get: operations["getChangedPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/agent/{projectId}/job/{id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish a preview
         * @description Pushes the change that a job with mode `preview` has ready (`pendingChanges`), and opens or updates
         *     its pull request. The job is `active` until this is done. The model is not called. Messages that
         *     arrive in the meantime are carried out afterwards.
         *
         *     If the base branch has moved, the change is applied on top of it. Files that others changed too are
         *     not overwritten: the job is then `failed` with `conflict_unresolved`, and the change stays ready. Send
         *     a message to have the agent make the change on the current base. After any other failure the change
         *     also stays ready, and you can publish it again.
         *
         *     A job that is `active` returns 409 `job_active`, an archived job `job_archived`, and a job without a
         *     ready change `nothing_to_publish`.
         */
        post: operations["publishJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/agent/{projectId}/job/{id}/discard": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Discard a preview
         * @description Deletes the unpublished change of a job with mode `preview`. Published changes stay. The job is
         *     `completed`; a later message starts from the published state. Errors are those of `POST …/publish`.
         *     The body is ignored.
         */
        post: operations["discardJobChanges"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/agent/{projectId}/job/{id}/checks": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /**
         * Get the results of the docs checks
         * @description Each round of the docs checks, oldest first: new problems that the change introduces, notes for the
         *     reviewer, and possible secrets. A turn has one round when the agent finishes, and one more each time
         *     that problems were reported to the agent. Turns without changes have none. Also available while the
         *     job is active.
         */
        get: operations["listJobChecks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/agent/{projectId}/job/{id}/citations": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /**
         * List the sources of a job's statements
         * @description What the job's pages state, each with the lines of a source repository that support it. Docent has
         *     verified that the page states the claim, that the lines exist at the commit, and that the agent read
         *     them. Only for jobs of projects with sources.
         */
        get: operations["listJobCitations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/agent/{projectId}/job/{id}/review": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /**
         * Get the review summary
         * @description The remaining problems of a job's change, notes for the reviewer, and the reasons to confirm before
         *     publishing or merging. `GET …/checks` returns the rounds of checks that led to it.
         */
        get: operations["getJobReview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/agent/{projectId}/job/{id}/calls": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /**
         * Get the tool calls of a step
         * @description The input and output of each tool that the agent called in one step of a turn, in the order of `calls`
         *     in the step's event, at most 100. Long texts are cut, and possible secrets are replaced by `[secret]`.
         *     Unlike events, tool calls quote files of the repository.
         */
        get: operations["listJobCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/agent/{projectId}/job/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /**
         * Get a job's conversation
         * @description All messages to the job, starting with the prompt, and the answer of each turn, in order. `no` numbers
         *     the messages; the numbers do not change, and new messages are appended. Possible secrets are shown as
         *     `[secret]`.
         */
        get: operations["listJobMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/agent/{projectId}/job/{id}/messages/{no}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
                /** @description The number of the message. An unknown or invalid number returns 404 `message_not_found`. */
                no: string;
            };
            cookie?: never;
        };
        /** Get a message of a job */
        get: operations["getJobMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/agent/{projectId}/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * List a project's attachments
         * @description Newest first.
         */
        get: operations["listAttachments"];
        put?: never;
        /**
         * Upload a file for a job
         * @description The body is the file itself: `curl --data-binary @screenshot.png`. The type is detected from the
         *     content; `Content-Type` is ignored. Allowed are PNG, JPEG, GIF and WebP images of at most 10 MB and
         *     8,000 pixels per side, and UTF-8 texts of at most 1 MB (Markdown, CSV, JSON, YAML, code, SVG …). Other
         *     files return 415.
         *
         *     List its ID in `attachments` when you create a job or send a message. An unused attachment is deleted
         *     after 24 hours; a used one is stored as long as its job.
         *
         *     A project accepts 100 uploads per hour and stores 1,000 MB (both configurable). Replays by
         *     `Idempotency-Key` do not count.
         */
        post: operations["uploadAttachment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/agent/{projectId}/attachments/{attachmentId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The attachment ID. An unknown or invalid ID returns 404 `attachment_not_found`. */
                attachmentId: components["parameters"]["AttachmentId"];
            };
            cookie?: never;
        };
        /** Get an attachment */
        get: operations["getAttachment"];
        put?: never;
        post?: never;
        /**
         * Delete an attachment
         * @description An attachment that a message uses cannot be deleted (409 `attachment_in_use`).
         */
        delete: operations["deleteAttachment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/agent/{projectId}/attachments/{attachmentId}/content": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The attachment ID. An unknown or invalid ID returns 404 `attachment_not_found`. */
                attachmentId: components["parameters"]["AttachmentId"];
            };
            cookie?: never;
        };
        /**
         * Get an attachment's content
         * @description The uploaded bytes, as a download with the attachment's name. The type is always
         *     `application/octet-stream`, so browsers neither show nor run the content.
         */
        get: operations["getAttachmentContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/agent/{projectId}/job/{id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /**
         * Get a job's usage
         * @description Tokens and cost by step and turn.
         */
        get: operations["getJobUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/agent/{projectId}/job/{id}/workflow": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /**
         * Find a job's workflow in Temporal
         * @description For operators. The location is not verified: while a job is idle, its newest run has ended, and
         *     Temporal deletes it after its retention period.
         */
        get: operations["getJobWorkflow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/agent/{projectId}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * Get a project's usage
         * @description Tokens and cost by day, for all jobs of the project. The usage of deleted jobs is kept by the hour. If
         *     `dateFrom` or `dateTo` is within an hour, that hour counts completely if it starts within the range.
         */
        get: operations["getProjectUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/{projectId}/job": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an agent job (version 1)
         * @deprecated
         * @description For clients written for version 1. Use `POST /v2/agent/{projectId}/job` instead, which has the same
         *     job as its result.
         *
         *     The messages form the job's prompt: `user` messages in order, `assistant` messages as examples,
         *     `system` messages at the end. The job uses the project's model; `model` is ignored. The response
         *     streams the job as server-sent events that are parts of the AI SDK's UI message stream, and ends with
         *     the turn. Closing the connection does not stop the job: get it by `X-Session-Id`.
         */
        post: operations["createSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/{projectId}/job/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /**
         * Get a job (version 1)
         * @deprecated
         * @description For clients written for version 1. Use `GET /v2/agent/{projectId}/job/{id}`.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/{projectId}/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * List a project's jobs (version 1)
         * @deprecated
         * @description For clients written for version 1. Use `GET /v2/agent/{projectId}/jobs`. Newest first, jobs of every version.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the projects
         * @description Sorted by ID.
         */
        get: operations["listProjects"];
        put?: never;
        /**
         * Create a project
         * @description Checks that the repository is readable and has the base branch, then stores the project. If there is a
         *     problem, the error explains it (400 `repository_refused`). `repository` is the absolute path of a git
         *     repository on the server, or a URL on a code host that you added before.
         */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/repositories/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a repository before you create a project
         * @description Creates nothing. Reports whether Docent can work with the repository, its default branch, the site
         *     generator, the number of pages, the problems that the docs checks find, and the agent instructions. A
         *     worker reads the repository; the response takes at most 22 seconds. Results that are not available by
         *     then are null and explained in `notes`.
         *
         *     A caller can run one check at a time. A new check ends the previous one, which returns 409
         *     `superseded`.
         */
        post: operations["checkRepository"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * Get a project
         * @description Keys can read their own projects. Browser tokens (`POST /v1/tokens`) cannot.
         */
        get: operations["getProject"];
        put?: never;
        post?: never;
        /**
         * Delete a project
         * @description Deletes the project with its jobs and their pull request pages. The repository and its branches are
         *     not changed. Keys for this project only are revoked; other keys lose access to it. Rejected while jobs
         *     of the project are active (409 `project_has_active_jobs`): cancel or archive them first.
         */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        /**
         * Change a project
         * @description Changes the given fields only. A new repository or base branch is checked first and is rejected while
         *     jobs of the project are active (409 `project_has_active_jobs`). A new model applies to jobs created
         *     from now on.
         *
         *     With `If-Match`, an outdated version returns 412 `precondition_failed`.
         */
        patch: operations["updateProject"];
        trace?: never;
    };
    "/v1/projects/{projectId}/instructions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * List the repository's agent instructions
         * @description Files on the base branch with instructions for agents or a style guide: whether, why and how much of
         *     each is passed to the agent. A worker reads the repository for each request.
         */
        get: operations["getProjectInstructions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/sources": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * List the source repositories
         * @description The repositories that the project's jobs can read, by name.
         */
        get: operations["listSources"];
        put?: never;
        /**
         * Add a source repository
         * @description Jobs of the project can search and read the repository's files, and never change them. A worker checks
         *     the repository first (400 `repository_refused`); read access is sufficient. A project can have ten
         *     sources (409 `too_many_sources`). Requires a role for all projects: a project's admin does not choose
         *     what Docent can reach.
         */
        post: operations["createSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/sources/{sourceName}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The source's name, as in the list. */
                sourceName: components["parameters"]["SourceName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a source repository
         * @description Running turns can read it until they end. The repository stays as it is.
         */
        delete: operations["deleteSource"];
        options?: never;
        head?: never;
        /**
         * Change a source repository
         * @description Changes the branch or the paths. Omitted fields stay. A worker checks a new branch first (400
         *     `repository_refused`). Running turns keep what they read; the next turn reads the new branch. To choose
         *     another repository, remove the source and add it again.
         */
        patch: operations["updateSource"];
        trace?: never;
    };
    "/v1/model": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the default model
         * @description The model for projects that do not set one, and where it is configured.
         */
        get: operations["getModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set the default model
         * @description Applies to new jobs of all projects that do not set a model, without a restart. A worker checks the
         *     model first. Rejected if the server's environment sets `DOCENT_MODEL` (409 `model_in_environment`).
         *
         *     With `If-Match`, an outdated version returns 412 `precondition_failed`.
         */
        patch: operations["setModel"];
        trace?: never;
    };
    "/v1/model/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List stored model keys
         * @description The providers with a key that an operator entered, without the keys. Keys in a worker's environment
         *     are not listed, and take precedence.
         */
        get: operations["listModelKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/model/keys/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The provider. */
                provider: components["schemas"]["ProviderWithKey"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a stored model key
         * @description Succeeds also if no key is stored.
         */
        delete: operations["deleteModelKey"];
        options?: never;
        head?: never;
        /**
         * Store a model key
         * @description Stores the key encrypted, or replaces the stored one. Workers use it from their next model call,
         *     without a restart, unless their environment has a key for the provider. To check it, test a model.
         */
        patch: operations["setModelKey"];
        trace?: never;
    };
    "/v1/model/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a model
         * @description A worker sends the model a short question that requires a tool call, like every step of a job.
         *     Problems are part of the response. The tokens do not count toward any project.
         */
        post: operations["testModel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hosts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the code hosts
         * @description Sorted by name. Repositories on the server's own disk need none.
         */
        get: operations["listHosts"];
        put?: never;
        /**
         * Add a code host
         * @description Checks the credential with the code host first. If there is a problem, the error explains it (400
         *     `host_refused`) and nothing is stored. The credential is stored encrypted and never returned.
         */
        post: operations["createHost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hosts/{hostId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The code host's name. */
                hostId: components["parameters"]["HostId"];
            };
            cookie?: never;
        };
        /**
         * Get a code host
         * @description As in the list, without its credential.
         */
        get: operations["getHost"];
        put?: never;
        post?: never;
        /**
         * Remove a code host
         * @description Deletes the credential. Rejected while a project uses the code host.
         */
        delete: operations["deleteHost"];
        options?: never;
        head?: never;
        /**
         * Replace a code host's credential
         * @description Checks the new credential first. If it is rejected, the old one stays. Running jobs use the new
         *     credential from their next step.
         *
         *     With `If-Match`, an outdated version returns 412 `precondition_failed`.
         */
        patch: operations["updateHost"];
        trace?: never;
    };
    "/v1/hosts/{hostId}/check": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The code host's name. */
                hostId: components["parameters"]["HostId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a code host's credential
         * @description Reports the permissions that the credential lacks, in general and for a repository if you name one.
         *     Changes nothing on the code host.
         */
        post: operations["checkHost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hosts/{hostId}/connect": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The code host's name. */
                hostId: components["parameters"]["HostId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Connect the webhooks of a code host
         * @description Creates a webhook in each repository of the projects and sources on the code host, or brings it up to date. The webhooks deliver to
         *     `POST /v1/hosts/{hostId}/hook` at the public URL. You can repeat the call. For a GitHub App, it sets the App's one webhook; choose
         *     the `events` in the App's settings.
         *
         *     If the credential may not create webhooks, create them yourself with `url`, `secret` and `events`.
         */
        post: operations["connectHost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hosts/{hostId}/hook": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The code host's name. */
                hostId: components["parameters"]["HostId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver an event of a code host
         * @description For webhooks of GitHub, GitLab, Gitea and Forgejo. `docent host connect` creates them. The delivery is stored before the response and processed a moment later. An event counts once, even if it is sent again or polling finds it, too.
         *
         *     The code host proves that it knows the secret with `X-Hub-Signature-256` (GitHub, Gitea, Forgejo), `X-Gitlab-Token`, or
         *     [Standard Webhooks](https://www.standardwebhooks.com) (GitLab). Deliveries that Docent does not use also return 202: `ignored` has the reason. A delivery is limited to 1 MB.
         */
        post: operations["receiveHostDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the caller
         * @description The key, token or person of this request, its projects, its limits, and the version of the server.
         *     Accepts every valid key, token and session, with any scope or role.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions
         * @description The browsers in which you are signed in, most recently used first, 100 at most. With the operator
         *     token: the browsers that were signed in with it.
         */
        get: operations["listSignIns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/sessions/{signInId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session ID from `GET /v1/me/sessions`. */
                signInId: components["parameters"]["SignInId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Sign a browser out
         * @description Ends one of your own sessions within a second, at every server. Ending an expired session has no
         *     effect.
         */
        delete: operations["deleteSignIn"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sign-in/openid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sign in with the identity provider
         * @description Redirects a browser to the configured identity provider (OpenID Connect, code flow with PKCE), which
         *     redirects back to `/sign-in/openid/callback`. On an error, the browser is redirected to
         *     `/sign-in?error=…` with one of: `openid_off`, `openid_unavailable`, `openid_expired`, `openid_denied`,
         *     `openid_invalid`, `email_not_verified`, `no_role`, `person_disabled`. Requests that accept JSON get an
         *     error response instead.
         */
        get: operations["startOpenIdSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sign-in/openid/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Return from the identity provider
         * @description For browsers only. Verifies the provider's response, signs the browser in, and redirects it. The
         *     person's role is read at each sign-in, unless it was set manually. Errors are those of
         *     `/sign-in/openid`.
         */
        get: operations["finishOpenIdSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the people
         * @description Everyone who has signed in through the identity provider, newest first.
         */
        get: operations["listPeople"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/people/{personId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The person's ID, as in the list. */
                personId: string;
            };
            cookie?: never;
        };
        /** Get a person */
        get: operations["getPerson"];
        put?: never;
        post?: never;
        /**
         * Delete a person
         * @description Ends all of the person's sessions within a second, at every server, and deletes the person. People
         *     with a role in the settings can sign in again, as a new person. To block a person, disable them
         *     instead.
         */
        delete: operations["deletePerson"];
        options?: never;
        head?: never;
        /**
         * Change what a person may do
         * @description Changes the given fields, at every server within a second. A role or projects that you set here stay,
         *     regardless of the identity provider. To let the provider decide again from the next sign-in, set
         *     `roleFromProvider: true`. `disabled: true` ends all sessions and sign-in links of the person and
         *     blocks new sign-ins.
         *
         *     The last admin can be demoted: the operator token always has full access.
         *
         *     With `If-Match`, an outdated version returns 412 `precondition_failed`.
         */
        patch: operations["updatePerson"];
        trace?: never;
    };
    "/v1/sign-in-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a sign-in link
         * @description For the operator token and admins of all projects. The link signs in one browser, once, within 10
         *     minutes, as the caller. The part after `#` is a secret, which browsers never send to a server.
         */
        post: operations["createSignInLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the sign-in options
         * @description For sign-in pages. Needs no authentication.
         */
        get: operations["getSignIn"];
        put?: never;
        /**
         * Sign a browser in
         * @description Send either the secret of a sign-in link or the operator token. The response sets a cookie with a new
         *     secret that scripts cannot read; an earlier session of the browser ends. The session ends after 30
         *     days, after 7 days without a request (both configurable), on sign-out, and when the operator token
         *     that it was created with changes. Failed attempts are limited by address, like invalid keys.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Ends the session and deletes the cookie. With `everywhere`, ends all of your sessions and sign-in
         *     links within a second, at every server. With the operator token, `everywhere` ends all sessions
         *     created with it.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a browser token
         * @description Creates a short-lived token from the API key of the request, for a page or app that must not contain
         *     the key itself. It grants access to one project, or to one job of it, with scopes of the key. Send it
         *     like a key. It ends when it expires, and within a second when its key is revoked, expires or loses the
         *     project, or when the secret it was created with becomes invalid. IP restrictions of the key apply to
         *     the token.
         *
         *     The response contains the token itself. You cannot get it again: only a hash is stored. A replay by
         *     `Idempotency-Key` has `token: null`. A key can create 600 tokens per minute (configurable). Neither
         *     tokens nor the operator token can create tokens.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API keys
         * @description Newest first, including revoked and expired keys.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The response contains the key itself. You cannot get it again: only a hash is stored. A replay by
         *     `Idempotency-Key` has `key: null`. If the first response was lost, revoke the key and create another.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log
         * @description One entry for each request that may change something, newest first: all methods except `GET`, without
         *     page views and reader feedback. An entry is stored before the request runs and completed with the
         *     result. `status: null` means that the request is running, or that the result is unknown because the
         *     server died. Rejected requests are logged if the caller was not authenticated (401) or not allowed
         *     (403), up to 60 per minute, per process, for each caller and for all unknown callers together.
         *     Malformed requests are not logged.
         *
         *     Entries contain no bodies, prompts, values or secrets. They are kept for 365 days
         *     (`DOCENT_AUDIT_DAYS`).
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The key's ID, as in the list. */
                keyId: string;
            };
            cookie?: never;
        };
        /**
         * Get an API key
         * @description The key's record, with each of its secrets that is still remembered. The key itself is returned only
         *     on creation.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description The key stops working within a second, permanently, with all of its secrets and tokens. Revoking it
         *     again has no effect.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        /**
         * Change an API key
         * @description Changes the given fields: name, addresses or expiry. Projects and scopes cannot be changed; create
         *     another key instead. A revoked key returns 409 `key_revoked`.
         *
         *     With `If-Match`, an outdated version returns 412 `precondition_failed`. Using the key does not change it.
         */
        patch: operations["updateKey"];
        trace?: never;
    };
    "/v1/keys/{keyId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The key's ID, as in the list. */
                keyId: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an API key
         * @description Gives the key a new secret. ID, name, projects, scopes and addresses stay, and the new secret has the
         *     same lifetime as the previous one. The previous secret stays valid for `overlapSeconds`, but not
         *     longer than before. If you rotate again, no earlier secret stays valid beyond the shorter overlap.
         *     With `overlapSeconds: 0`, earlier secrets and their tokens end within a second. `secrets` shows when
         *     each secret was last used.
         *
         *     The response contains the new key itself. You cannot get it again: only a hash is stored. A replay by
         *     `Idempotency-Key` has `key: null`. If the first response was lost, rotate again. A revoked key returns
         *     409 `key_revoked`.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/agent/{projectId}/job/{id}/pull-request": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /**
         * Get a job's pull request
         * @description The newest pull request of the job, as Docent last saw it. Also available while the job is active.
         *     Changes on the code host (merge, close, push, review, CI) are detected within minutes: Docent polls
         *     open pull requests of jobs that are not archived every 30 seconds to 10 minutes, less often the longer
         *     nothing changes.
         */
        get: operations["getPullRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/agent/{projectId}/job/{id}/pull-request/merge": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge a job's pull request
         * @description Merges the newest pull request of the job into its base branch, on its code host. Merging a merged
         *     pull request again has no effect and returns 200, so a repeated request needs no `Idempotency-Key`. A
         *     rejected merge returns 409 with the reason.
         */
        post: operations["mergeJobPullRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/agent/{projectId}/job/{id}/pull-request/close": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a job's pull request without merging
         * @description The branch stays. A later message to the job opens a new pull request. Closing a closed pull request
         *     again has no effect and returns 200.
         */
        post: operations["closeJobPullRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * List suggested prompts
         * @description At most fifteen, from known data: missing pages that readers requested, searches without an opened
         *     result, pages that readers found unhelpful, problems that the docs checks last found, pages without a
         *     description, and the most-read pages. Paths and quotes come from readers and are sanitized: a quoted path in a prompt has at most 120 characters and no spaces or quotes. Post a
         *     `prompt` as it is, or edit it. With the model `builtin`, only prompts that it can carry out are
         *     suggested: redirects to a page with a similar name, and broken links with one clear target.
         */
        get: operations["listSuggestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/pull-requests": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * List a project's pull requests
         * @description Pull requests of the project's jobs, newest first, as Docent last saw them (see `GET …/pull-request`).
         *     All filters must match. A job has several if it continued after its first one was merged or closed.
         */
        get: operations["listPullRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/automations": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * List the automations
         * @description Newest first.
         */
        get: operations["listAutomations"];
        put?: never;
        /**
         * Create an automation
         * @description Saves a prompt and job options under a name. `POST …/trigger` always starts a run. `trigger` sets what
         *     else does: a schedule, or deliveries to the automation's own address.
         *
         *     The fields are those of a new job, without `attachments`. A worker checks the model first. Names are
         *     unique, ignoring case (409 `automation_exists`). A project can have 100 automations (409
         *     `too_many_automations`).
         */
        post: operations["createAutomation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/automation-plan": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * Compare automations with their files
         * @description Reads `.docent/automations/*.yaml` of the docs repository at the head of the base branch, and returns what `POST` would change.
         *     Each file defines one automation: its name is the ID, and its fields are those of a new automation. Changes nothing.
         */
        get: operations["planAutomations"];
        put?: never;
        /**
         * Apply the automations of the files
         * @description Creates, updates and deletes automations so that they match their files, all or nothing. Repeating it changes nothing. Only
         *     automations with a `file` are deleted. If the base branch is no longer at `commit`, nothing is changed (412
         *     `precondition_failed`). With `If-Match` and the `ETag` of the plan, exactly this plan is applied. Any problem in a file
         *     is 400 `bad_request`.
         */
        post: operations["applyAutomations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/automations/{automationId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation ID, as in the list. */
                automationId: components["parameters"]["AutomationId"];
            };
            cookie?: never;
        };
        /**
         * Get an automation
         * @description All fields except the secret of its webhook.
         */
        get: operations["getAutomation"];
        put?: never;
        post?: never;
        /**
         * Delete an automation
         * @description Its jobs are kept and still refer to it.
         */
        delete: operations["deleteAutomation"];
        options?: never;
        head?: never;
        /**
         * Change an automation
         * @description Omitted fields stay; null removes an option. `metadata` and `webhook` are replaced completely; a
         *     webhook without a `secret` has none. Existing jobs are not affected.
         *
         *     With `If-Match`, an outdated version returns 412 `precondition_failed`. A run counts as a change.
         */
        patch: operations["updateAutomation"];
        trace?: never;
    };
    "/v1/projects/{projectId}/automations/{automationId}/trigger": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation ID, as in the list. */
                automationId: components["parameters"]["AutomationId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Trigger an automation
         * @description Creates a job from the automation's prompt, like `POST /v2/agent/{projectId}/job`, with the same limits and
         *     the same durability. With an `Idempotency-Key`, a repeated request does not create a second job. An
         *     automation that is disabled or has paused itself returns 409 `automation_disabled`. Run limits and the
         *     cooldown do not apply to calls. If the automation continues its open pull request, the response is the job
         *     of that pull request.
         */
        post: operations["triggerAutomation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/automations/{automationId}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation ID, as in the list. */
                automationId: components["parameters"]["AutomationId"];
            };
            cookie?: never;
        };
        /**
         * List the runs of an automation
         * @description The runs of the automation, including skipped ones with the reason, newest first. Events in a row that were skipped for the
         *     same reason share one entry, whose `events` counts them.
         */
        get: operations["listAutomationRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/automations/{automationId}/runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation ID, as in the list. */
                automationId: components["parameters"]["AutomationId"];
                /** @description The run's ID, as in the list. */
                runId: string;
            };
            cookie?: never;
        };
        /** Get a run of an automation */
        get: operations["getAutomationRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/automations/{automationId}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation ID, as in the list. */
                automationId: components["parameters"]["AutomationId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the secret of an automation's address
         * @description Deliveries to `POST /v1/hooks/{automationId}` are signed with this secret or contain it. You cannot get it again. A new secret replaces the previous one immediately.
         */
        post: operations["createAutomationSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * List the named secrets
         * @description The names of the project's secrets. The secrets themselves cannot be read.
         */
        get: operations["listProjectSecrets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/secrets/{secretName}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The secret's name. */
                secretName: components["parameters"]["SecretName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a named secret
         * @description Runs of automations that refer to it fail until you set it again.
         */
        delete: operations["deleteProjectSecret"];
        options?: never;
        head?: never;
        /**
         * Set a named secret
         * @description Stores the secret encrypted, or replaces it. The webhooks of automations refer to it by `secretName`, so that files in a repository
         *     contain no secrets. New jobs use the new secret. A project can have 100 secrets.
         */
        patch: operations["setProjectSecret"];
        trace?: never;
    };
    "/v1/hooks/{automationId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The automation ID, as in the list. */
                automationId: components["parameters"]["AutomationId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver an event to an automation
         * @description For automations whose `trigger` is `webhook`. The delivery is stored before the response, and starts one run a moment later, even if it is sent again. Its body is material for the agent, never an instruction.
         *
         *     The sender proves that it knows the automation's secret in one of four ways: [Standard Webhooks](https://www.standardwebhooks.com)
         *     (`webhook-id`, `webhook-timestamp`, `webhook-signature`), GitHub's `X-Hub-Signature-256`, GitLab's `X-Gitlab-Token`, or
         *     `Authorization: Bearer SECRET`. Repeats are recognized by `webhook-id`, the signed body (GitHub), `Idempotency-Key` or
         *     `X-Gitlab-Event-UUID`; without any of these, each delivery counts.
         *
         *     A delivery that starts no run, because the automation is disabled or its filter does not match, also returns 202: see the runs.
         */
        post: operations["receiveDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflow/{projectId}/{workflowSchemaId}/trigger": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation's ID. It can be the ID of a Mintlify workflow. */
                workflowSchemaId: components["schemas"]["AutomationId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Trigger an automation (Mintlify's format)
         * @description The same as `POST /v1/projects/{projectId}/automations/{automationId}/trigger`, with a
         *     response in Mintlify's format. The body is optional.
         */
        post: operations["triggerWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/workflow/{projectId}/{workflowSchemaId}/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation's ID. It can be the ID of a Mintlify workflow. */
                workflowSchemaId: components["schemas"]["AutomationId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Trigger an automation (Mintlify's format, version 2)
         * @description The same as `POST /v1/projects/{projectId}/automations/{automationId}/trigger`, with a response in
         *     Mintlify's format. The body is optional.
         */
        post: operations["triggerWorkflowByWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * List the webhooks
         * @description The project's webhooks, oldest first; with `jobId`, the webhook of this job.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Docent notifies its URL about events of the project, following [Standard
         *     Webhooks](https://www.standardwebhooks.com). The response contains the signing secret. You cannot get
         *     it again. A replay by `Idempotency-Key` has `secret: null`. A project can have 20 webhooks (409
         *     `too_many_webhooks`).
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook ID, as in the list. */
                webhookId: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description All fields except its secret.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Also deletes its deliveries. Pending messages are not sent.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description Omitted fields stay. `enabled: true` re-enables a webhook that Docent disabled. Pending messages are
         *     sent to the new `url`.
         *
         *     With `If-Match`, an outdated version returns 412 `precondition_failed`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/projects/{projectId}/webhooks/{webhookId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook ID, as in the list. */
                webhookId: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a webhook's secret
         * @description The response contains the new secret. You cannot get it again (a replay by `Idempotency-Key` has
         *     `secret: null`). For 24 hours, messages carry two signatures, one per secret, so the receiver can
         *     switch without losing messages.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook ID, as in the list. */
                webhookId: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a ping
         * @description Sends one message of type `ping` immediately and returns the response, also for a disabled webhook.
         *     Waits up to 20 seconds. A project can request 30 messages per minute, including resent ones (429
         *     `rate_limited`).
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook ID, as in the list. */
                webhookId: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        /**
         * List deliveries
         * @description Messages of the last 30 days, and pending ones. Newest first.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook ID, as in the list. */
                webhookId: components["parameters"]["WebhookId"];
                /** @description The delivery ID, sent as `webhook-id` with the message. */
                deliveryId: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        /**
         * Get a delivery
         * @description The message and every attempt with its response.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook ID, as in the list. */
                webhookId: components["parameters"]["WebhookId"];
                /** @description The delivery ID, sent as `webhook-id` with the message. */
                deliveryId: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend a message
         * @description Sends the message again with the same `webhook-id`, and retries for a day. A pending delivery is not
         *     affected. A disabled webhook returns 409 `webhook_disabled`.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/pull-requests/{prId}/effect": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The unguessable ID in a job's link. */
                prId: components["parameters"]["PullRequestId"];
            };
            cookie?: never;
        };
        /**
         * Compare the readers of changed pages before and after the merge
         * @description For each page that the pull request changed, what readers did in the 28 days before and the 28 days
         *     after the merge. The numbers are exact. A moved page counts under all
         *     its addresses; a visitor of several of them counts once. At most 500 pages, most visited first.
         */
        get: operations["getPullRequestEffect"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pull-requests/{prId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The unguessable ID in a job's link. */
                prId: components["parameters"]["PullRequestId"];
            };
            cookie?: never;
        };
        /**
         * A pull request's page
         * @description An HTML page with the title, state, description, commits and diff. The ID cannot be guessed; anyone
         *     with the link can read the page. The page blocks search engines and sends no referrer.
         */
        get: operations["showPullRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pull-requests/{prId}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The unguessable ID in a job's link. */
                prId: components["parameters"]["PullRequestId"];
            };
            cookie?: never;
        };
        /**
         * Go back to the page
         * @description For browsers that open the URL of a submitted form. Changes nothing.
         */
        get: operations["returnMergeForm"];
        put?: never;
        /**
         * Merge a pull request
         * @description Merges the branch into the base branch in the repository itself. Requires the session of an editor of
         *     the project, or the operator token as `Authorization: Bearer`. Merging a merged pull request again has
         *     no effect and returns 200, so a repeated request needs no `Idempotency-Key`. The response is the page,
         *     or a redirect to it for browsers. A rejected merge returns 409 with the reason and the git command to
         *     run instead.
         */
        post: operations["mergePullRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pull-requests/{prId}/close": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The unguessable ID in a job's link. */
                prId: components["parameters"]["PullRequestId"];
            };
            cookie?: never;
        };
        /**
         * Go back to the page
         * @description For browsers that open the URL of a submitted form. Changes nothing.
         */
        get: operations["returnCloseForm"];
        put?: never;
        /**
         * Close a pull request without merging
         * @description The branch stays. A later message to the job opens a new pull request. Requires the session of an
         *     editor of the project, or the operator token as `Authorization: Bearer`. Closing a closed pull request
         *     again has no effect and returns 200.
         */
        post: operations["closePullRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check liveness
         * @description Checks only the process itself.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check readiness
         * @description Whether Temporal, the database and the analytics folder are reachable and the database is writable. If
         *     events are acknowledged after they are stored, also the bucket of page views.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the health of all components
         * @description Temporal and its workers, the database, the disk, the model, code hosts, processes, the queue,
         *     analytics and webhooks, each with a status and a sentence. A component that does not respond within
         *     2.5 seconds is reported as such, without delaying the others. Results are up to two seconds old.
         */
        get: operations["getInstallationHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get this document as JSON */
        get: operations["getOpenApiJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.yaml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get this document as YAML */
        get: operations["getOpenApiYaml"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/{projectId}/visitors": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * Unique visitors, by page
         * @description Totals for the site and a row for each page, most visitors first, then by path. Counts are exact: a
         *     visitor on several days or pages, or in several classes, counts once in each number. `total` is not
         *     the sum of the classes: a visitor who was both human and AI counts once.
         *
         *     While `hasMore` is true, request the next rows with `offset` raised by `limit`. All responses of a
         *     listing use the same version of the data, even while events arrive. To be certain, send `version`
         *     (valid for up to an hour), or request the next rows within ten minutes.
         *
         *     Send `Accept: text/csv` to get the rows as CSV, limited by `limit`. Its headers have the rest:
         *     `X-Version`, `X-Total-Count`, `X-Has-More`, and `Link` if there are more rows. With `all=true`, the
         *     CSV has every row, from one version and in the same order, sent while it is read. If an error occurs,
         *     the connection is closed before the end of the response: a response that ends correctly according to
         *     HTTP is complete.
         */
        get: operations["getVisitors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/{projectId}/views": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * Page views, by page
         * @description Like `visitors`, but every page view counts.
         */
        get: operations["getViews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/{projectId}/timeseries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * Visitors and views, by day
         * @description One entry for each UTC day of the range, from the first to the last day with data. A visitor counts on
         *     each day of a visit.
         */
        get: operations["getTimeseries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/{projectId}/agents": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * AI agents and crawlers
         * @description Visitors and views by agent, most visitors first, and by class of non-human visitors. Crawlers
         *     (`search`, `training`, `other`) are not part of the totals of `visitors`. Docent compares the client's
         *     address with the addresses that the operator publishes, and stores only the result.
         */
        get: operations["getAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/{projectId}/referrers": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * Where visitors came from
         * @description By host of the referring page, most visitors first. The row of the channel `direct` has no host. It counts
         *     visitors for whom no view in the period has a referrer.
         */
        get: operations["getReferrers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/{projectId}/not-found": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * Broken inbound links
         * @description Pages that were requested and do not exist, most requested first.
         */
        get: operations["getNotFound"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/{projectId}/live": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * Get live visitors
         * @description Visitors and views of the last five minutes: total, by minute, by page and by AI agent. Events appear
         *     about two seconds after they are received (`delaySeconds`), at their own time. Responses are cached
         *     for two seconds.
         */
        get: operations["getLiveVisitors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/{projectId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send page views
         * @description Accepts up to 1,000 events as JSON, or any number as NDJSON, one event per line. `Content-Encoding:
         *     gzip` is supported. After this response, the accepted events are on disk and will be counted, even
         *     after a crash. They appear within five seconds.
         *
         *     Each event is accepted or rejected on its own; rejected events are listed in `rejected` (the first
         *     1,000). A body is limited to 64 MB uncompressed, or 8 MB as JSON.
         *
         *     **Streams.** NDJSON is accepted as it arrives, within a second. A stream can last indefinitely; it
         *     ends with 408 after 60 seconds without data. If a stream ends early, complete lines were accepted. The
         *     error states how many events were accepted, and `next` where to resume.
         *
         *     **Deduplication.** An event's `id` identifies the event: on one UTC day, each ID counts once, and the
         *     first event stays. Events without an ID are identified by the request's `Idempotency-Key`, their
         *     position in the request, and their content. A request that is sent again with its key counts once,
         *     also with more events at its end. Different events with a used key are counted, so nothing is lost,
         *     and there is no 422. Without ID and key, every event counts each time. Duplicates that are detected
         *     immediately are reported in `duplicates`.
         */
        post: operations["postEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/{projectId}/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * Reader feedback
         * @description Newest first. Comments are untrusted plain text, never HTML.
         */
        get: operations["getFeedback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/{projectId}/feedback/{feedbackId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The feedback ID, as in the list. */
                feedbackId: components["parameters"]["FeedbackId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Triage reader feedback
         * @description Sets the status, the notes, or both. Omitted fields stay.
         */
        patch: operations["updateFeedback"];
        trace?: never;
    };
    "/v1/projects/{projectId}/share-links": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * List the share links
         * @description Links that show the analytics of the project, newest first, also expired ones. Not the deleted ones.
         */
        get: operations["listShareLinks"];
        put?: never;
        /**
         * Share the analytics
         * @description Creates a link that shows the analytics of the project to anyone who has it, and nothing else of the
         *     project. A project can have 50. The response contains the address. You cannot get it again: only a
         *     hash is stored. A replay by `Idempotency-Key` has `url: null`.
         */
        post: operations["createShareLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/share-links/{shareLinkId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The ID of the share link, as in the list. */
                shareLinkId: components["parameters"]["ShareLinkId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a share link
         * @description The link, and the pages that it opened, stop working within a second.
         */
        delete: operations["deleteShareLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/share-links/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a share link
         * @description Exchanges the secret of a share link, and its password if it has one, for a token. For 12 hours, the
         *     token reads the analytics of the one project, and nothing else. It ends with its link. A link can be
         *     opened 60 times per minute, and 10 times from one address.
         */
        post: operations["openShareLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/{projectId}/annotations": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * List the annotations of the chart
         * @description Your own annotations, merged pull requests, and releases, newest first. A release is a new tag of the
         *     repository of the project or of a source.
         */
        get: operations["listAnnotations"];
        put?: never;
        /**
         * Annotate the chart
         * @description Marks an event, such as a release. A project can have 1,000 annotations.
         */
        post: operations["createAnnotation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/{projectId}/annotations/{annotationId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The annotation ID, as in the list. */
                annotationId: components["parameters"]["AnnotationId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an annotation
         * @description Deletes one of your annotations, or a release.
         */
        delete: operations["deleteAnnotation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/{projectId}/feedback/by-page": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * Reader feedback by page
         * @description How many readers found each page helpful or not, and how many commented on its code. Pages with the
         *     most feedback first.
         */
        get: operations["getFeedbackByPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/{projectId}/searches": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * Reader searches
         * @description Search terms, most frequent first, ignoring case. `ctr` is the share of searches after which a result
         *     was opened, `totalSearches` all searches of the period. Counts may change between pages of a listing.
         */
        get: operations["getSearches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{projectId}/script.js": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * The page script
         * @description The script that you include in your site to count readers. It sends each page view to
         *     `/{projectId}/collect`. It sets no cookies, stores nothing, and respects Do Not Track and Global
         *     Privacy Control.
         *
         *     It is the same for every ID, including IDs without a project.
         */
        get: operations["getPageScript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{projectId}/collect": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a page view from the page script
         * @description Sent by the page script: JSON as text, so that browsers need no preflight request. The time is the
         *     server's. The visitor ID is derived from the address and user agent; the address is not stored. After
         *     this response, the view is on disk and will be counted.
         *
         *     The response does not reveal which projects exist: for an unknown ID, it is the same as for a project
         *     without allowed origins, and the view is dropped. The server logs the ID, once per minute.
         *
         *     The endpoint needs no key, so it is limited: the page must belong to the request's `Origin`, which
         *     must be one of the project's `analyticsOrigins` (403 `forbidden_origin`). Views per minute and address
         *     are limited, and so are pages and broken links per hour that were never counted before (429
         *     `rate_limited`). The body is limited to 4,096 bytes.
         */
        post: operations["collectView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{projectId}/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send feedback from a page or an agent
         * @description Sent by `docent.feedback(…)` of the page script: `{ "url", "helpful", "comment"?, "contact"?, "code"?,
         *     "filename"?, "lang"?, "anonymous"? }`. `helpful` is optional if `code` is set. A comment is limited to
         *     2,000 characters, code to 4,000. Control characters are removed. With `anonymous: true`, no visitor ID
         *     is stored.
         *
         *     Needs no key. Accepted from pages of the project's `analyticsOrigins` (403 `forbidden_origin`), within
         *     the limits of `/{projectId}/collect` and its own (429 `rate_limited`), up to 16,384 bytes. For an
         *     unknown project ID, the response is the same and the data is dropped.
         *
         *     AI agents send `{ "path", "feedback" }` as `application/json`, without an `Origin` header. It is stored
         *     with the source `agent`.
         */
        post: operations["collectFeedback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{projectId}/search": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a search from a page
         * @description Sent by `docent.search(…)` of the page script: `{ "url", "query", "clicked"?, "anonymous"? }`. With
         *     `clicked`, the result that was opened, it does not count as another search. A query is limited to 200
         *     characters.
         *
         *     Needs no key. Accepted from pages of the project's `analyticsOrigins` (403 `forbidden_origin`), within
         *     the limits of `/{projectId}/collect` and its own (429 `rate_limited`), up to 16,384 bytes. For an
         *     unknown project ID, the response is the same and the data is dropped.
         */
        post: operations["collectSearch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "job.completed": {
        parameters: {
            query?: never;
            header: {
                /** @description The message ID, the same for every attempt. */
                "webhook-id": components["parameters"]["MessageId"];
                /** @description The start of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                /**
                 * @description `v1,` and the base64 signature, one per secret, separated by spaces ([Standard
                 *     Webhooks](https://www.standardwebhooks.com)). Absent for a job's webhook without a secret.
                 */
                "webhook-signature"?: components["parameters"]["MessageSignature"];
            };
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A turn ended and no message is waiting */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The message ID, the same for every attempt. */
                    "webhook-id": components["parameters"]["MessageId"];
                    /** @description The start of the attempt, in seconds since 1970. */
                    "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                    /**
                     * @description `v1,` and the base64 signature, one per secret, separated by spaces ([Standard
                     *     Webhooks](https://www.standardwebhooks.com)). Absent for a job's webhook without a secret.
                     */
                    "webhook-signature"?: components["parameters"]["MessageSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: components["requestBodies"]["JobMessage"];
            responses: {
                410: components["responses"]["MessageUnwanted"];
                "2XX": components["responses"]["MessageReceived"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "job.failed": {
        parameters: {
            query?: never;
            header: {
                /** @description The message ID, the same for every attempt. */
                "webhook-id": components["parameters"]["MessageId"];
                /** @description The start of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                /**
                 * @description `v1,` and the base64 signature, one per secret, separated by spaces ([Standard
                 *     Webhooks](https://www.standardwebhooks.com)). Absent for a job's webhook without a secret.
                 */
                "webhook-signature"?: components["parameters"]["MessageSignature"];
            };
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A turn ended with an error */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The message ID, the same for every attempt. */
                    "webhook-id": components["parameters"]["MessageId"];
                    /** @description The start of the attempt, in seconds since 1970. */
                    "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                    /**
                     * @description `v1,` and the base64 signature, one per secret, separated by spaces ([Standard
                     *     Webhooks](https://www.standardwebhooks.com)). Absent for a job's webhook without a secret.
                     */
                    "webhook-signature"?: components["parameters"]["MessageSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: components["requestBodies"]["JobMessage"];
            responses: {
                410: components["responses"]["MessageUnwanted"];
                "2XX": components["responses"]["MessageReceived"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "job.archived": {
        parameters: {
            query?: never;
            header: {
                /** @description The message ID, the same for every attempt. */
                "webhook-id": components["parameters"]["MessageId"];
                /** @description The start of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                /**
                 * @description `v1,` and the base64 signature, one per secret, separated by spaces ([Standard
                 *     Webhooks](https://www.standardwebhooks.com)). Absent for a job's webhook without a secret.
                 */
                "webhook-signature"?: components["parameters"]["MessageSignature"];
            };
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A job was archived */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The message ID, the same for every attempt. */
                    "webhook-id": components["parameters"]["MessageId"];
                    /** @description The start of the attempt, in seconds since 1970. */
                    "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                    /**
                     * @description `v1,` and the base64 signature, one per secret, separated by spaces ([Standard
                     *     Webhooks](https://www.standardwebhooks.com)). Absent for a job's webhook without a secret.
                     */
                    "webhook-signature"?: components["parameters"]["MessageSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: components["requestBodies"]["JobMessage"];
            responses: {
                410: components["responses"]["MessageUnwanted"];
                "2XX": components["responses"]["MessageReceived"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "pull_request.opened": {
        parameters: {
            query?: never;
            header: {
                /** @description The message ID, the same for every attempt. */
                "webhook-id": components["parameters"]["MessageId"];
                /** @description The start of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                /**
                 * @description `v1,` and the base64 signature, one per secret, separated by spaces ([Standard
                 *     Webhooks](https://www.standardwebhooks.com)). Absent for a job's webhook without a secret.
                 */
                "webhook-signature"?: components["parameters"]["MessageSignature"];
            };
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A job opened a pull request */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The message ID, the same for every attempt. */
                    "webhook-id": components["parameters"]["MessageId"];
                    /** @description The start of the attempt, in seconds since 1970. */
                    "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                    /**
                     * @description `v1,` and the base64 signature, one per secret, separated by spaces ([Standard
                     *     Webhooks](https://www.standardwebhooks.com)). Absent for a job's webhook without a secret.
                     */
                    "webhook-signature"?: components["parameters"]["MessageSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: components["requestBodies"]["PullRequestMessage"];
            responses: {
                410: components["responses"]["MessageUnwanted"];
                "2XX": components["responses"]["MessageReceived"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "pull_request.updated": {
        parameters: {
            query?: never;
            header: {
                /** @description The message ID, the same for every attempt. */
                "webhook-id": components["parameters"]["MessageId"];
                /** @description The start of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                /**
                 * @description `v1,` and the base64 signature, one per secret, separated by spaces ([Standard
                 *     Webhooks](https://www.standardwebhooks.com)). Absent for a job's webhook without a secret.
                 */
                "webhook-signature"?: components["parameters"]["MessageSignature"];
            };
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A pull request has new commits or was reopened */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The message ID, the same for every attempt. */
                    "webhook-id": components["parameters"]["MessageId"];
                    /** @description The start of the attempt, in seconds since 1970. */
                    "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                    /**
                     * @description `v1,` and the base64 signature, one per secret, separated by spaces ([Standard
                     *     Webhooks](https://www.standardwebhooks.com)). Absent for a job's webhook without a secret.
                     */
                    "webhook-signature"?: components["parameters"]["MessageSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: components["requestBodies"]["PullRequestMessage"];
            responses: {
                410: components["responses"]["MessageUnwanted"];
                "2XX": components["responses"]["MessageReceived"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "pull_request.merged": {
        parameters: {
            query?: never;
            header: {
                /** @description The message ID, the same for every attempt. */
                "webhook-id": components["parameters"]["MessageId"];
                /** @description The start of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                /**
                 * @description `v1,` and the base64 signature, one per secret, separated by spaces ([Standard
                 *     Webhooks](https://www.standardwebhooks.com)). Absent for a job's webhook without a secret.
                 */
                "webhook-signature"?: components["parameters"]["MessageSignature"];
            };
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A pull request was merged */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The message ID, the same for every attempt. */
                    "webhook-id": components["parameters"]["MessageId"];
                    /** @description The start of the attempt, in seconds since 1970. */
                    "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                    /**
                     * @description `v1,` and the base64 signature, one per secret, separated by spaces ([Standard
                     *     Webhooks](https://www.standardwebhooks.com)). Absent for a job's webhook without a secret.
                     */
                    "webhook-signature"?: components["parameters"]["MessageSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: components["requestBodies"]["PullRequestMessage"];
            responses: {
                410: components["responses"]["MessageUnwanted"];
                "2XX": components["responses"]["MessageReceived"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "pull_request.closed": {
        parameters: {
            query?: never;
            header: {
                /** @description The message ID, the same for every attempt. */
                "webhook-id": components["parameters"]["MessageId"];
                /** @description The start of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                /**
                 * @description `v1,` and the base64 signature, one per secret, separated by spaces ([Standard
                 *     Webhooks](https://www.standardwebhooks.com)). Absent for a job's webhook without a secret.
                 */
                "webhook-signature"?: components["parameters"]["MessageSignature"];
            };
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A pull request was closed without being merged */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The message ID, the same for every attempt. */
                    "webhook-id": components["parameters"]["MessageId"];
                    /** @description The start of the attempt, in seconds since 1970. */
                    "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                    /**
                     * @description `v1,` and the base64 signature, one per secret, separated by spaces ([Standard
                     *     Webhooks](https://www.standardwebhooks.com)). Absent for a job's webhook without a secret.
                     */
                    "webhook-signature"?: components["parameters"]["MessageSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: components["requestBodies"]["PullRequestMessage"];
            responses: {
                410: components["responses"]["MessageUnwanted"];
                "2XX": components["responses"]["MessageReceived"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "analytics.report": {
        parameters: {
            query?: never;
            header: {
                /** @description The message ID, the same for every attempt. */
                "webhook-id": components["parameters"]["MessageId"];
                /** @description The start of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                /**
                 * @description `v1,` and the base64 signature, one per secret, separated by spaces ([Standard
                 *     Webhooks](https://www.standardwebhooks.com)). Absent for a job's webhook without a secret.
                 */
                "webhook-signature"?: components["parameters"]["MessageSignature"];
            };
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The report of a week or a month is ready */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The message ID, the same for every attempt. */
                    "webhook-id": components["parameters"]["MessageId"];
                    /** @description The start of the attempt, in seconds since 1970. */
                    "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                    /**
                     * @description `v1,` and the base64 signature, one per secret, separated by spaces ([Standard
                     *     Webhooks](https://www.standardwebhooks.com)). Absent for a job's webhook without a secret.
                     */
                    "webhook-signature"?: components["parameters"]["MessageSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: components["requestBodies"]["ReportMessage"];
            responses: {
                410: components["responses"]["MessageUnwanted"];
                "2XX": components["responses"]["MessageReceived"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "analytics.alert": {
        parameters: {
            query?: never;
            header: {
                /** @description The message ID, the same for every attempt. */
                "webhook-id": components["parameters"]["MessageId"];
                /** @description The start of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                /**
                 * @description `v1,` and the base64 signature, one per secret, separated by spaces ([Standard
                 *     Webhooks](https://www.standardwebhooks.com)). Absent for a job's webhook without a secret.
                 */
                "webhook-signature"?: components["parameters"]["MessageSignature"];
            };
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A day had unusually many or few readers */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The message ID, the same for every attempt. */
                    "webhook-id": components["parameters"]["MessageId"];
                    /** @description The start of the attempt, in seconds since 1970. */
                    "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                    /**
                     * @description `v1,` and the base64 signature, one per secret, separated by spaces ([Standard
                     *     Webhooks](https://www.standardwebhooks.com)). Absent for a job's webhook without a secret.
                     */
                    "webhook-signature"?: components["parameters"]["MessageSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: components["requestBodies"]["AlertMessage"];
            responses: {
                410: components["responses"]["MessageUnwanted"];
                "2XX": components["responses"]["MessageReceived"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "automation.paused": {
        parameters: {
            query?: never;
            header: {
                /** @description The message ID, the same for every attempt. */
                "webhook-id": components["parameters"]["MessageId"];
                /** @description The start of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                /**
                 * @description `v1,` and the base64 signature, one per secret, separated by spaces ([Standard
                 *     Webhooks](https://www.standardwebhooks.com)). Absent for a job's webhook without a secret.
                 */
                "webhook-signature"?: components["parameters"]["MessageSignature"];
            };
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An automation paused itself after three failures in a row */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The message ID, the same for every attempt. */
                    "webhook-id": components["parameters"]["MessageId"];
                    /** @description The start of the attempt, in seconds since 1970. */
                    "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                    /**
                     * @description `v1,` and the base64 signature, one per secret, separated by spaces ([Standard
                     *     Webhooks](https://www.standardwebhooks.com)). Absent for a job's webhook without a secret.
                     */
                    "webhook-signature"?: components["parameters"]["MessageSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: components["requestBodies"]["AutomationMessage"];
            responses: {
                410: components["responses"]["MessageUnwanted"];
                "2XX": components["responses"]["MessageReceived"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "budget.reached": {
        parameters: {
            query?: never;
            header: {
                /** @description The message ID, the same for every attempt. */
                "webhook-id": components["parameters"]["MessageId"];
                /** @description The start of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                /**
                 * @description `v1,` and the base64 signature, one per secret, separated by spaces ([Standard
                 *     Webhooks](https://www.standardwebhooks.com)). Absent for a job's webhook without a secret.
                 */
                "webhook-signature"?: components["parameters"]["MessageSignature"];
            };
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A job or a project reached its budget */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The message ID, the same for every attempt. */
                    "webhook-id": components["parameters"]["MessageId"];
                    /** @description The start of the attempt, in seconds since 1970. */
                    "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                    /**
                     * @description `v1,` and the base64 signature, one per secret, separated by spaces ([Standard
                     *     Webhooks](https://www.standardwebhooks.com)). Absent for a job's webhook without a secret.
                     */
                    "webhook-signature"?: components["parameters"]["MessageSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: components["requestBodies"]["BudgetMessage"];
            responses: {
                410: components["responses"]["MessageUnwanted"];
                "2XX": components["responses"]["MessageReceived"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    ping: {
        parameters: {
            query?: never;
            header: {
                /** @description The message ID, the same for every attempt. */
                "webhook-id": components["parameters"]["MessageId"];
                /** @description The start of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                /**
                 * @description `v1,` and the base64 signature, one per secret, separated by spaces ([Standard
                 *     Webhooks](https://www.standardwebhooks.com)). Absent for a job's webhook without a secret.
                 */
                "webhook-signature"?: components["parameters"]["MessageSignature"];
            };
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** You sent a test message */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The message ID, the same for every attempt. */
                    "webhook-id": components["parameters"]["MessageId"];
                    /** @description The start of the attempt, in seconds since 1970. */
                    "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                    /**
                     * @description `v1,` and the base64 signature, one per secret, separated by spaces ([Standard
                     *     Webhooks](https://www.standardwebhooks.com)). Absent for a job's webhook without a secret.
                     */
                    "webhook-signature"?: components["parameters"]["MessageSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: components["requestBodies"]["PingMessage"];
            responses: {
                410: components["responses"]["MessageUnwanted"];
                "2XX": components["responses"]["MessageReceived"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @description 1 to 63 lowercase letters, digits and hyphens, starting with a letter or digit.
         * @example acme-docs
         */
        ProjectId: string;
        /** @example 7m2kq0x4z9c1v8b5n3dw */
        JobId: string;
        /**
         * @description `active`: work is waiting or running. `completed`: the agent has finished; see `prLink`. `failed`: see
         *     `error`; a message restarts the job. `archived`: archived on request or after inactivity.
         * @enum {string}
         */
        JobStatus: "active" | "completed" | "failed" | "archived";
        /**
         * @description The result of the job so far; archived jobs keep theirs. The first match of:
         *
         *     - `queued`, `working`: the job is queued, or the agent works.
         *     - `failed`, `refused`, `asked`: the last turn failed, was refused, or ended with a question. Its pull
         *     request was not merged or closed since.
         *     - `ready`: a preview is ready to publish.
         *     - `open`, `merged`, `closed`: the state of its newest pull request, even if later turns changed
         *     nothing.
         *     - `pushed`: its change is on the base branch, without a pull request.
         *     - `answered`, `unchanged`: there was nothing to change.
         *     - `discarded`, `cancelled`: its change was discarded, or it was canceled before it had one.
         * @enum {string}
         */
        JobState: "queued" | "working" | "asked" | "refused" | "failed" | "ready" | "open" | "merged" | "closed" | "pushed" | "answered" | "unchanged" | "discarded" | "cancelled";
        Prompt: {
            /** @description The instruction for the agent, not blank. */
            prompt: string;
            attachments?: components["schemas"]["AttachmentIds"];
        };
        AttachmentId: string;
        /** @description IDs of uploaded files for the agent. Unknown IDs return 400. */
        AttachmentIds: components["schemas"]["AttachmentId"][];
        Attachment: {
            id: components["schemas"]["AttachmentId"];
            /** @description The file's name. */
            name: string;
            /**
             * @description Detected from the content; for texts, from the extension.
             * @example image/png
             * @example text/markdown
             */
            mediaType: string;
            bytes: number;
            /** @description Of an image, in pixels. */
            width: number | null;
            /** @description Of an image, in pixels. */
            height: number | null;
            /** @description Of its content, 64 hex digits. */
            sha256: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it is deleted if no message uses it. Null once a message uses it.
             */
            expiresAt: string | null;
        };
        AttachmentPage: {
            attachments: components["schemas"]["Attachment"][];
            nextCursor: components["schemas"]["NextCursor"];
        };
        JobMessage: {
            /** @description Its place in the conversation, from 1. */
            no: number;
            /** @description Stays the same. */
            id: string;
            /**
             * @description `user`: a message to the job. `assistant`: the answer of a turn, or the reason why it failed.
             * @enum {string}
             */
            role: "user" | "assistant";
            text: string;
            /**
             * @description `waiting`: for a turn. `taken`: in the running turn. `done`: answered. `unheard`: its turn ended
             *     before the agent answered; the next turn includes it. `dropped`: canceled or archived before it
             *     was read. Answers are `done`.
             * @enum {string}
             */
            state: "waiting" | "taken" | "done" | "unheard" | "dropped";
            /** @description The turn that took it or gave it. Null if none has taken it yet. */
            turn: number | null;
            /**
             * @description For answers: the outcome of the turn, as in the job's `outcome`.
             * @enum {string|null}
             */
            outcome: "changed" | "answered" | "unchanged" | "refused" | "asked" | "discarded" | "failed" | null;
            /** @description Files attached to the message. */
            attachments: components["schemas"]["Attachment"][];
            /** Format: date-time */
            createdAt: string;
        };
        JobMessagePage: {
            messages: components["schemas"]["JobMessage"][];
            nextCursor: components["schemas"]["NextCursor"];
        };
        NewJob: {
            /** @description The instruction for the agent, not blank. */
            prompt: string;
            mode?: components["schemas"]["JobMode"];
            /**
             * @description The branch to start from and to merge into, instead of the project's base branch. If it does not
             *     exist in the repository, the job fails with `branch_missing`.
             */
            ref?: components["schemas"]["BranchName"];
            /**
             * @description The branch for the agent's commits, instead of `<branch prefix>/<job id>`. It must be new. If
             *     another job of the project has or had it, the response is 409 `branch_taken`. If the repository
             *     already has it, the job fails with `branch_taken`, so Docent never pushes to an existing branch.
             *     It cannot be the base branch or end with a job ID. After its pull request is merged or closed,
             *     follow-ups use `<branch>-2`, `-3` and so on.
             */
            branch?: components["schemas"]["BranchName"];
            /** @description The model, in the format of a project's `model`. A worker checks it first. */
            model?: components["schemas"]["ModelId"];
            /**
             * @description The reasoning effort. Higher is slower and costs more. If omitted: the provider's default. Models
             *     without reasoning, such as `builtin`, ignore it.
             */
            effort?: components["schemas"]["Effort"];
            /**
             * @description Whether to open the pull request as a draft, instead of the project's setting. Ignored on code
             *     hosts without drafts.
             */
            draft?: boolean;
            /**
             * @description The title of the job and its pull request, one line. Replaces the first line of the prompt and the
             *     agent's own title.
             * @example Fix links in the docs of 2.4
             */
            title?: string;
            budget?: components["schemas"]["JobBudget"];
            metadata?: components["schemas"]["JobMetadata"];
            attachments?: components["schemas"]["AttachmentIds"];
            webhook?: components["schemas"]["JobWebhook"];
        };
        /** @enum {string} */
        Effort: "low" | "medium" | "high";
        /**
         * @description What happens to the agent's changes, for all turns of the job. Default: `pull-request`. `preview`: the
         *     docs checks run and the diff is available; nothing is pushed until `POST …/publish`. `ask`: the agent
         *     answers and cannot change files; the answer is the `summary`. `push`: commits to the base branch, if
         *     the project allows it (`allowPush`). If the repository rejects the push, Docent opens a pull request
         *     instead and states it in the `summary`.
         * @enum {string}
         */
        JobMode: "pull-request" | "preview" | "ask" | "push";
        Publish: {
            /** @description The title of the pull request, one line, instead of the generated one. Kept for later turns. */
            title?: string;
            /** @description Whether to open a new pull request as a draft, instead of the setting of the job or project. */
            draft?: boolean;
        };
        ChangeSize: {
            /** @description Files that are changed. */
            files: number;
            /** @description Lines that are added. */
            additions: number;
            /** @description Lines that are taken away. */
            deletions: number;
        };
        /**
         * @description The limits for the whole job, including follow-ups. The budgets of the project and the server also
         *     apply; the lowest counts. At the limit the job is `failed` with `budget_job` and keeps its changes.
         */
        JobBudget: {
            /** @description Input and output tokens. */
            tokens?: number;
            /** @description US dollars. A model without a known price ends the job with `budget_job`. */
            usd?: number;
        };
        /**
         * @description Your own labels. Returned with the job, usable as filters of `GET …/jobs`, and never shown to the
         *     model. At most 50. A name has up to 64 letters, digits, `_`, `.`, `:` or `-`; a value up to 512
         *     characters.
         * @example {
         *       "ticket": "DOC-17"
         *     }
         */
        JobMetadata: {
            [key: string]: string;
        };
        JobChange: {
            /** @description One line. */
            title?: string;
            /**
             * @description Replaces the previous budget; null removes it. A job that reached its budget resumes with the next
             *     message.
             */
            budget?: components["schemas"]["JobBudget"] | null;
            /**
             * @description Merged with the existing metadata: names that you omit stay, and null removes a name. The limits
             *     are those of a new job.
             */
            metadata?: {
                [key: string]: string | null;
            };
        };
        Job: {
            id: components["schemas"]["JobId"];
            status: components["schemas"]["JobStatus"];
            state: components["schemas"]["JobState"];
            /** @description The repository and branch of the job. */
            source: {
                /**
                 * @description The repository's URL, without credentials; `file:` for a repository on the server's disk.
                 * @example file:///srv/git/docs.git
                 */
                repository: string;
                /**
                 * @description The branch of the agent's commits, or, before it exists, the branch that the job starts from.
                 * @example docent/7m2kq0x4z9c1v8b5n3dw
                 */
                ref: string | null;
            };
            mode: components["schemas"]["JobMode"];
            /**
             * @description The size of the unpublished change of a job with mode `preview` (`POST …/publish` or `…/discard`).
             *     Null if there is none, and while the job is active. `GET …/diff` has the change itself.
             */
            pendingChanges: components["schemas"]["ChangeSize"] | null;
            /**
             * @description The model of the job.
             * @example builtin
             */
            model: string;
            /** @description The base branch that the job was created with; null for the project's. */
            ref: string | null;
            /**
             * @description The branch that the job was created with; null if named automatically. `source.ref` is the branch
             *     in use.
             */
            branch: string | null;
            /**
             * @description The value that the job was created with, or null.
             * @enum {string|null}
             */
            effort: "low" | "medium" | "high" | null;
            /** @description The value that the job was created with; null for the project's default. */
            draft: boolean | null;
            /** @description The value that the job was created with, or null. An omitted part is null. */
            budget: {
                tokens: number | null;
                usd: number | null;
            } | null;
            metadata: components["schemas"]["JobMetadata"];
            /**
             * @description The pull request's URL. Null while the job is active (the URL of an earlier turn is shown again
             *     when the turn ends), and if nothing was ever changed.
             */
            prLink: string | null;
            /**
             * @description The state of the job's newest pull request. Null without one, and while the job is active.
             * @enum {string|null}
             */
            prState: "open" | "merged" | "closed" | null;
            /** @description Your title, or the first line of the prompt; at most 100 characters. */
            title: string;
            /** @description What the agent said at the end of its last turn. */
            summary: string | null;
            /**
             * @description The outcome of the last turn; `state` has the result of the whole job. `changed`: published a
             *     change, or has it ready (`pendingChanges`). `answered`: no change was requested; the summary is
             *     the answer. `unchanged`: nothing had to be changed. `refused`: the model could not or would not do
             *     what was asked; the summary explains why. `asked`: the model needs an answer first; the summary is
             *     its question. `discarded`: the unpublished change was discarded. `failed`: see `error`. Null while
             *     the job is active, if the last turn was canceled or ended by archiving, and for turns that ended
             *     before Docent stored outcomes.
             * @enum {string|null}
             */
            outcome: "changed" | "answered" | "unchanged" | "refused" | "asked" | "discarded" | "failed" | null;
            /** @description Why the job failed; null for other jobs. */
            error: components["schemas"]["JobError"] | null;
            /**
             * @description What the model is doing now, as readable text. Overwritten while the model writes; null if there
             *     is nothing to show.
             * @example Step 3: writing a call of edit, 1,240 characters
             */
            progress: string | null;
            /**
             * @description The queue position of an active job that waits because the limit of concurrent jobs of the project
             *     (`concurrentJobs`) or the server (`DOCENT_CONCURRENT_JOBS`) is reached. Null for a job that does
             *     not wait. A message to a waiting job does not change its position; cancel and archive end the wait
             *     immediately.
             */
            queue: {
                /**
                 * @description The position in the project's queue; 1 is next. It only decreases.
                 * @example 3
                 */
                position: number;
            } | null;
            /** @description The webhook of this job; null without one. */
            webhook: {
                /** @description Without its query, which may hold secrets. */
                url: string;
                events: components["schemas"]["WebhookEvents"];
            } | null;
            /** @description The automation that created the job, which may have been deleted. Null for other jobs. */
            automationId: string | null;
            /** @description Who created the job; null for jobs older than this field. */
            createdBy: components["schemas"]["JobCreator"] | null;
            /** @description The usage of the job so far. */
            usage: components["schemas"]["Usage"];
            /** @description IDs of the files attached to its prompt. */
            attachments: components["schemas"]["AttachmentIds"];
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the job last changed.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description When the job was archived; null for other jobs.
             */
            archivedAt: string | null;
        };
        JobCreator: {
            /**
             * @description `key`: an API key, or one of its tokens. `account`: an account of a code host.
             * @enum {string}
             */
            kind: "operator" | "key" | "automation" | "person" | "account";
            /**
             * @description The ID of the key, automation or person, which may have been deleted; null for the operator. Of an
             *     account: the ID of the code host and that of the account, such as `github/583231`.
             * @example key_4t8w2n6q9r1m5x7c3v0b
             */
            id: string | null;
            /**
             * @description Its name when the job was created.
             * @example CI
             */
            name: string;
        };
        NewSession: {
            messages: components["schemas"]["SessionMessage"][];
            /** @description The branch for the agent's commits. If omitted: named automatically. */
            branch?: components["schemas"]["BranchName"];
            /**
             * @description Whether the pull request is a draft.
             * @default false
             */
            asDraft?: boolean;
            /**
             * @description Accepted and ignored. The project's model is used.
             * @default sonnet
             * @enum {string}
             */
            model?: "sonnet" | "opus";
        };
        SessionMessage: {
            /** @enum {string} */
            role: "system" | "user" | "assistant";
            content: string;
        };
        /** @description A job in the version 1 format. `pullRequestLink` and `messageToUser` are omitted if there is none. */
        Session: {
            /** @description The job's id. */
            sessionId: string;
            /** @description The project's id. */
            subdomain: string;
            /** @description The branch with the changes, once it exists. */
            branch: string | null;
            /** @description Whether the job is at rest. */
            haulted: boolean;
            /**
             * @description `processing`: the job is active. `interrupted`: it was canceled. `github_missconfigured`: rejected
             *     by its repository or code host.
             * @enum {string}
             */
            haultReason: "completed" | "github_missconfigured" | "error" | "processing" | "interrupted";
            pullRequestLink?: string;
            /** @description The summary, the error, or the current activity. */
            messageToUser?: string;
            /** @description Always empty. */
            todos: Record<string, never>[];
            title: string;
            /** Format: date-time */
            createdAt: string;
        };
        JobError: {
            /**
             * @description Stable: `repository_missing`, `repository_replaced`, `repository_unreadable`, `repository_empty`, `branch_missing`, `branch_taken`, `branch_prefix_taken`, `address_refused`,
             *     `push_refused`, `change_refused`, `secret_found`, `host_unauthorized`, `host_forbidden`, `host_rate_limited`, `host_unavailable`, `host_refused`,
             *     `credential_unreadable`,
             *     `model_unknown`, `model_key`, `model_quota`, `model_rate_limited`, `model_unavailable`, `model_rejected`,
             *     `model_refused`, `model_context`, `model_empty`, `model_call_as_text`, `model_output_limit`, `budget_job`, `budget_project`, `limit_steps`, `limit_time`, `limit_repeated_calls`,
             *     `limit_no_progress`, `limit_work`,
             *     `conflict_unresolved`, `workflow_lost`, `internal`. More may be added.
             */
            code: string;
            /** @description A readable message with what to do. */
            message: string;
        };
        JobPage: {
            jobs: components["schemas"]["Job"][];
            nextCursor: components["schemas"]["NextCursor"];
        };
        /** @description Send it as `cursor` to get the next page. Null on the last page. */
        NextCursor: string | null;
        Usage: {
            /** @description Model responses. */
            modelCalls: number;
            /** @description Input tokens, including those from the provider's cache. */
            inputTokens: number;
            /** @description The part of the input tokens from the provider's cache. */
            cachedInputTokens: number;
            /** @description Output tokens. */
            outputTokens: number;
            /** @description US dollars, by the prices that Docent knows. Null if the model's price is not known. */
            costUsd: number | null;
        };
        JobUsage: {
            usage: components["schemas"]["Usage"];
            turns: {
                turn: number;
                usage: components["schemas"]["Usage"];
                steps: {
                    step: number;
                    model: string;
                    usage: components["schemas"]["Usage"];
                    /** Format: date-time */
                    createdAt: string;
                }[];
            }[];
        };
        ProjectUsage: {
            usage: components["schemas"]["Usage"];
            /** @description The days (UTC) with usage, oldest first. */
            days: {
                /**
                 * Format: date
                 * @example 2026-11-21
                 */
                day: string;
                /** @description Jobs that used the model on this day. */
                jobs: number;
                usage: components["schemas"]["Usage"];
            }[];
        };
        JobWorkflow: {
            /** @example docent-3f9c-job-7m2kq0x4z9c1v8b5n3dw */
            workflowId: string;
            /** @example default */
            namespace: string;
            /**
             * @description The workflow's page in the Temporal Web UI; null unless `DOCENT_TEMPORAL_UI_URL` is set. With
             *     `docent start`, the UI runs on the server's own machine.
             */
            link: string | null;
        };
        JobEvents: {
            /** @description The job's `progress`. */
            progress: string | null;
            events: components["schemas"]["JobEvent"][];
            /**
             * @description The job's status, read before the events. If it is not `active` and `events` is empty, you have
             *     all events.
             */
            status: components["schemas"]["JobStatus"];
        };
        JobEvent: {
            /** @description Numbers the job's events from 1, without gaps. */
            no: number;
            /**
             * @description `created`: the job, with its first message. `message`: a further message. `queued`: the job waits
             *     in the queue. `turn_started`, `turn_ended`. `step`: a response of the model and its tool calls.
             *     `tools`: the results of the calls. `answer`: the final text. `checks`: the docs checks ran.
             *     `published`: a commit and its pull request. `discarded`: a preview was discarded. `archived`,
             *     `unarchived`. More may be added: ignore types that you do not know.
             *      (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "created" | "message" | "queued" | "turn_started" | "step" | "checks" | "published" | "discarded" | "turn_ended" | "archived" | "unarchived" | "tools" | "answer";
            /** @description The turn that the event belongs to, counted from 1. */
            turn: number | null;
            /** @description A readable sentence, at most 500 characters. */
            text: string;
            /** @description The same as data. Null in events of version 0.1.0, and if the sentence is complete. */
            data: components["schemas"]["JobEventData"] | null;
            /** Format: date-time */
            createdAt: string;
        };
        /** @description Each type of event has its own fields. More may be added. */
        JobEventData: {
            /** @description Of `step`, `tools`, `answer` and `checks`, the step of the turn, counted from 1. */
            step?: number;
            /**
             * @description `step` and `answer`: the model's text, at most 20,000 characters. Possible secrets are replaced by
             *     `[secret]`.
             */
            words?: string;
            /** @description `step`: the tools that the model called. At most 100. */
            calls?: {
                id: string;
                /** @example edit */
                name: string;
                /** @example edit guides/start.mdx */
                summary: string;
            }[];
            /** @description `tools`: the results of the calls. At most 100. */
            results?: {
                /** @description The id of the call. */
                id: string;
                name: string;
                /** @description False for a call that was refused and changed nothing. */
                ok: boolean;
                /** @description Paths of the changed files. At most 100. */
                changed: string[];
            }[];
            /** @description Of `checks`, how many new problems the change brings. */
            problems?: number;
            /** @description Of `published`. */
            commit?: string;
            /** @description Of `published`. */
            branch?: string;
            /** @description Of `published`. */
            prLink?: string;
            /**
             * @description `turn_ended` only.
             * @enum {string}
             */
            state?: "published" | "ready" | "unchanged" | "failed" | "cancelled" | "archived";
            /** @description `turn_ended`: the job's `outcome` after the turn. */
            outcome?: string | null;
            /** @description `turn_ended`: the job's `error` after the turn. */
            error?: components["schemas"]["JobError"] | null;
        };
        JobCalls: {
            calls: components["schemas"]["JobCall"][];
        };
        JobCall: {
            /** @example edit */
            name: string;
            /** @description The arguments, as the model wrote them. At most 20, with 2,000 characters in total. */
            arguments: components["schemas"]["JobCallArgument"][];
            /** @description The output. Null while the call runs, and if its turn ended first. */
            result: components["schemas"]["JobCallResult"] | null;
        };
        JobCallArgument: {
            /** @example path */
            name: string;
            /**
             * @description A string as it is, other values as JSON, with the original line breaks.
             * @example guides/start.mdx
             */
            value: string;
            /** @description Whether the value is longer. */
            cut: boolean;
        };
        JobCallResult: {
            /** @description False for a call that was refused and changed nothing. */
            ok: boolean;
            /** @description What the agent was answered. At most 2,000 characters. */
            text: string;
            /** @description Whether the text is longer. */
            cut: boolean;
        };
        /** @description The `data:` of one server-sent event. More types may be added: ignore types that you do not know. */
        JobStreamEvent: components["schemas"]["JobEvent"] | components["schemas"]["JobWordsEvent"] | components["schemas"]["JobProgressEvent"] | components["schemas"]["JobEndEvent"];
        /**
         * @description Text that the model has written since the previous event of this type. The final `step` or `answer`
         *     event has the complete text.
         */
        JobWordsEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "words";
            turn: number;
            step: number;
            /** @description Counted from 1: another one where the model had to be asked again. */
            attempt: number;
            /**
             * @description The position of the text in the response, in UTF-16 code units. 0 means a new start: discard the
             *     earlier text of this step.
             */
            offset: number;
            /** @description What looks like a secret is `[secret]`. */
            text: string;
        };
        /** @description The job's `progress` has changed. */
        JobProgressEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "progress";
            progress: string | null;
        };
        /** @description The last event of a complete stream. */
        JobEndEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "end";
            /**
             * @description `rest`: the job is idle. `archived`. `refused`: the caller has lost access; see `error`.
             * @enum {string}
             */
            reason: "rest" | "archived" | "refused";
            status: components["schemas"]["JobStatus"];
            error: components["schemas"]["Error"] | null;
        };
        JobDiff: {
            /** @description The files of `diff`. */
            files: components["schemas"]["FileChange"][];
            /** @description The unpublished changes; null if there are none. */
            pending: components["schemas"]["PendingDiff"] | null;
            /** @description The turns that published changes, oldest first. */
            turns: components["schemas"]["TurnDiff"][];
            /** @description The whole diff of the job's newest pull request. */
            diff: string;
        };
        TurnDiff: {
            /** @description The files of `diff`; null if it is null. */
            files: components["schemas"]["FileChange"][] | null;
            /** @description Counted from 1. */
            turn: number;
            branch: string;
            /** @description The id of the commit that the turn pushed. */
            commit: string;
            /** @description The unified diff of the commit. Null for older turns if all diffs together exceed 8 MB. */
            diff: string | null;
        };
        PendingDiff: {
            /** @description The turn that made it, counted from 1. */
            turn: number;
            /** @description The id of the commit that the change lies on. */
            baseCommit: string;
            /** @description Unified diff. */
            diff: string;
            /** @description Whether `diff` was cut because of its length, or is empty because it may contain a secret. */
            cut: boolean;
            files: components["schemas"]["FileChange"][];
            totals: components["schemas"]["ChangeSize"];
            /**
             * @description Whether `POST …/publish` would publish it now. False during a running turn and after a failed
             *     turn; the next turn continues from these changes.
             */
            ready: boolean;
            /** Format: date-time */
            updatedAt: string;
        };
        ChangedPage: {
            path: string;
            /**
             * @description Whether the page is stored. Also false if the job does not change it, and for changes made before
             *     pages were stored.
             */
            kept: boolean;
            /** @description The text before the change; null for a new page, or if not stored. */
            before: string | null;
            /** @description The text after the change; null for a deleted page, or if not stored. */
            after: string | null;
        };
        FileChange: {
            path: string;
            /** @description The previous path of a renamed file, else null. */
            oldPath: string | null;
            /**
             * @description `renamed`: a file moved without changes. A file that was moved and changed is listed as deleted
             *     and added.
             * @enum {string}
             */
            status: "added" | "modified" | "deleted" | "renamed";
            /** @description Lines; 0 for a binary file. */
            additions: number;
            deletions: number;
            binary: boolean;
        };
        JobChecks: {
            checks: components["schemas"]["CheckRound"][];
            nextCursor: components["schemas"]["NextCursor"];
        };
        CheckRound: {
            /** @description Counted from 1. */
            turn: number;
            /** @description The step of the turn that it came after, counted from 1. */
            step: number;
            /** Format: date-time */
            createdAt: string;
            /** @description Pages of the site that were checked. */
            pages: number;
            /** @description The kind of site, as a sentence. */
            site: string;
            /**
             * @description New problems that the change introduces, including those left from earlier turns of the same pull
             *     request. Problems that the docs had before are not included.
             */
            problems: components["schemas"]["CheckProblem"][];
            /** @description Problems that the docs had before, and still have. */
            earlierProblems: number;
            /** @description Notes for the reviewer. */
            notes: components["schemas"]["CheckNote"][];
            /** @description Possible secrets in the content to be published, without their values. */
            secrets: components["schemas"]["CheckSecret"][];
            /** @description Whether the problems were reported to the agent. */
            told: boolean;
        };
        Retry: {
            /** @description The model for the job from now on. If omitted: unchanged. */
            model?: components["schemas"]["ModelId"];
        };
        JobReview: {
            /** @description The newest pull request; null without one. */
            pullRequest: components["schemas"]["Review"] | null;
            /** @description The unpublished preview; null without one. */
            pending: components["schemas"]["Review"] | null;
        };
        Review: {
            /** @description Whether the docs checks have looked at all of the change. */
            checked: boolean;
            /** @description The remaining problems, errors first. Problems that a later turn fixed are not included. */
            problems: components["schemas"]["CheckProblem"][];
            /** @description Notes for the reviewer. */
            notes: components["schemas"]["CheckNote"][];
            /** @description Possible secrets, without their values. */
            secrets: components["schemas"]["CheckSecret"][];
            /**
             * @description Reasons to confirm before merging or publishing. Empty if there are none, or if the pull request
             *     is not open.
             */
            doubts: {
                /** @enum {string} */
                code: "docs_errors" | "docs_unchecked" | "secrets" | "checks_failed" | "checks_pending" | "checks_unknown" | "changes_requested";
                /** @description A sentence. */
                message: string;
            }[];
        };
        CheckSecret: {
            /** @example guides/start.mdx, line 12 */
            where: string;
            kind: string;
            /** @description What lets it through in `allowedSecrets` of the project. */
            id: string;
        };
        CheckProblem: {
            /**
             * @description The rule, as in `.docent.json` and in comments.
             * @example missing-page
             */
            code: string;
            /**
             * @description `error`: readers see something broken. `warning`: worth checking. `notice`: may be intentional.
             * @enum {string}
             */
            severity: "error" | "warning" | "notice";
            path: string;
            /** @description From 1. */
            line: number;
            /** @description From 1, in UTF-16 units. Null if the line is enough, and for findings of an older Docent. */
            column: number | null;
            /** @description A sentence. */
            message: string;
            /** @description Equal for problems that one change would fix. Null for results of older Docent versions. */
            cause: string | null;
            /** @description The likely target, if there is a clear one. */
            suggestion: string | null;
            /**
             * Format: uri
             * @description Where the docs explain the rule.
             */
            help: string;
            /** @description Whether the change introduced it. Currently always true. */
            introduced: boolean;
            /** @description Whether it was reported to the agent after this round. Only errors are. */
            told: boolean;
        };
        CheckNote: {
            path: string;
            /** @description A sentence without its full stop. */
            message: string;
        };
        /** @description A week or a month of readers. Counts are exact. */
        AnalyticsReport: {
            /** @enum {string} */
            every: "week" | "month";
            /** Format: date-time */
            from: string;
            /**
             * Format: date-time
             * @description Exclusive.
             */
            to: string;
            timeZone: string;
            visitors: components["schemas"]["PeriodCounts"];
            views: components["schemas"]["PeriodCounts"];
            /** @description Most visitors first. */
            pages: components["schemas"]["PathCounts"][];
            brokenLinks: {
                path: string;
                count: number;
                /** @description The host that sent most of them. */
                referrer: string | null;
            }[];
            agents: {
                agent: string;
                visitors: number;
                views: number;
            }[];
            /** @description Merged in the period. */
            pullRequests: {
                title: string;
                /** Format: date-time */
                mergedAt: string;
                jobId: string | null;
            }[];
        };
        PeriodCounts: {
            now: components["schemas"]["Counts"];
            before: components["schemas"]["Counts"];
        };
        /** @description A day with unusually many or few readers. */
        AnalyticsAlert: {
            /** @enum {string} */
            kind: "spike" | "drop";
            /** @enum {string} */
            readers: "human" | "ai";
            /**
             * Format: date
             * @description A UTC day.
             */
            day: string;
            visitors: number;
            /** @description The median of the same weekday in the weeks before. */
            usual: number;
            weeks: number;
        };
        NewShareLink: {
            /** @description Who gets the link. One line, without control characters. */
            name: string;
            /**
             * @description Null for a link without expiry.
             * @default 90
             */
            expiresInDays?: number | null;
            /**
             * @description What visitors must enter. Null for none.
             * @default null
             */
            password?: string | null;
        };
        ShareLink: {
            id: string;
            name: string;
            hasPassword: boolean;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Null for never.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description To the minute.
             */
            lastUsedAt: string | null;
        };
        /** @description The link's record, and its address. */
        CreatedShareLink: components["schemas"]["ShareLink"] & {
            /** @description The address to pass on. Null if the response is a replay. */
            url: string | null;
        };
        ShareLinkList: {
            shareLinks: components["schemas"]["ShareLink"][];
        };
        ShareLinkSecret: {
            /** @description The part of the address after `#`. */
            secret: string;
            password?: string;
        };
        OpenedShareLink: {
            projectId: components["schemas"]["ProjectId"];
            /** @description The name of the link. */
            name: string;
            /** @description Send it like a key. */
            token: string;
            /** Format: date-time */
            expiresAt: string;
        };
        NewAnnotation: {
            text: string;
            /** @description When it happened, in the formats of `dateFrom`. Default: now. */
            at?: string;
        };
        Annotation: {
            /** @description Null for a pull request. */
            id: string | null;
            /** Format: date-time */
            at: string;
            /** @description The title of a pull request, the tag of a release, or your text. */
            text: string;
            /** @enum {string} */
            kind: "own" | "pull-request" | "release";
            /** @description The job of a pull request. */
            jobId: string | null;
        };
        AnnotationList: {
            annotations: components["schemas"]["Annotation"][];
            hasMore: boolean;
        };
        PullRequestEffect: {
            /** Format: date-time */
            mergedAt: string;
            window: {
                /** @description The length of each window: 28. */
                days: number;
                /** @description Whether both windows are complete. */
                complete: boolean;
                before: components["schemas"]["EffectWindow"];
                after: components["schemas"]["EffectWindow"];
            };
            pages: {
                /** @description The address of the page now. */
                path: string;
                /** @description The file in the repository. */
                file: string;
                /** @description Earlier addresses that are counted, too. */
                movedFrom: string[];
                before: components["schemas"]["PageReaders"];
                after: components["schemas"]["PageReaders"];
            }[];
            mapping: components["schemas"]["ClassMapping"];
            /** @description The version of the analytics data. */
            version: number;
        };
        EffectWindow: {
            /** Format: date-time */
            from: string;
            /**
             * Format: date-time
             * @description Excluded.
             */
            to: string;
            /**
             * @description Whether the window is over and the project has page views from its first to its last day. If not,
             *     the numbers cover a part of it.
             */
            complete: boolean;
        };
        PageReaders: {
            /** @description Unique human visitors. */
            human: number;
            /** @description Unique AI visitors. */
            ai: number;
            /** @description Requests for the page that found nothing. */
            notFound: number;
            /** @description Searches of readers that ended at the page. */
            searches: number;
            negativeFeedback: number;
        };
        PullRequest: {
            id: string;
            jobId: components["schemas"]["JobId"];
            /** @enum {string} */
            state: "open" | "merged" | "closed";
            title: string;
            /** @description Its page on its code host or this server. */
            link: string;
            /** @description Its number on its code host; null for `local`. */
            number: number | null;
            /** @example docent/7m2kq0x4z9c1v8b5n3dw */
            headBranch: string;
            /** @example main */
            baseBranch: string;
            /** @description The newest known commit of the head branch. */
            headCommit: string;
            /** @description The merge commit on the base branch; null if not merged or not known. */
            mergeCommit: string | null;
            /**
             * @description The CI result for the newest commit. Null if the code host was not asked yet, or if the credential
             *     lacks permission (GitHub: "Checks" and "Commit statuses", both "Read").
             */
            checks: components["schemas"]["PullRequestChecks"] | null;
            /** @description Whether it can be merged without conflicts, according to its code host; null if not known. */
            mergeable: boolean | null;
            /**
             * @description The result of the reviews; `pending` while a requested review is missing. Null if no review was
             *     requested, or if not known.
             * @enum {string|null}
             */
            review: "approved" | "changes_requested" | "pending" | null;
            /**
             * Format: date-time
             * @description When Docent last asked the code host.
             */
            lookedAt: string | null;
            /** @description Why the last request to the code host failed. */
            problem: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When Docent merged it or detected the merge. Null if it is not merged.
             */
            mergedAt: string | null;
            /**
             * Format: date-time
             * @description When Docent closed it or detected that it was closed without a merge. Null if it is not closed.
             */
            closedAt: string | null;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updatedAt: string;
        };
        PullRequestPage: {
            pullRequests: components["schemas"]["PullRequest"][];
            nextCursor: components["schemas"]["NextCursor"];
        };
        PullRequestChecks: {
            /**
             * @description `failed` if a check failed, else `pending` if a check is not complete, else `passed`. `none`:
             *     there are no checks, as on `local`.
             * @enum {string}
             */
            state: "pending" | "passed" | "failed" | "none";
            /** @description How many there are, of the first 100 of each kind. */
            total: number;
            failed: number;
            /** @description The page of the first item. */
            url: string | null;
            /** @description Failed checks first, then pending checks. */
            items: components["schemas"]["PullRequestCheck"][];
        };
        PullRequestCheck: {
            /** @example build (ubuntu-latest) */
            name: string;
            /** @enum {string} */
            state: "pending" | "passed" | "failed" | "skipped";
            url: string | null;
        };
        /** @example 7m2kq0x4z9c1v8b5n3dw */
        AutomationId: string;
        /**
         * @description The name, one line. Unique in the project, ignoring case.
         * @example Changelog
         */
        AutomationName: string;
        /**
         * @description The branch for each job's commits, instead of `<branch prefix>/<job id>`. Each job uses a new branch:
         *     the name must contain `{run}`, which is replaced by the number of the run (1, 2, 3 …). Numbers whose
         *     branch is already in use are skipped.
         * @example docs/changelog-{run}
         */
        BranchPattern: string;
        NewAutomation: {
            /** @description Your own ID, for example the one from the hosted service. If omitted: generated. */
            id?: components["schemas"]["AutomationId"];
            name: components["schemas"]["AutomationName"];
            /**
             * @description The instruction for the agent, not blank. `{{since}}` becomes the commits or the time of the last completed run;
             *     `{{commits}}`, `{{files}}` and `{{payload}}` point to these parts of the material.
             */
            prompt: string;
            /** @description More of the prompt, after it. Variables are not replaced here. */
            instructions?: string | null;
            mode?: components["schemas"]["JobMode"];
            /** @description The branch to start from and to merge into, instead of the project's base branch. */
            ref?: components["schemas"]["BranchName"];
            branch?: components["schemas"]["BranchPattern"];
            /** @description The model. If omitted: the project's model when the job is created. */
            model?: components["schemas"]["ModelId"];
            effort?: components["schemas"]["Effort"];
            /** @description Whether to open pull requests as drafts, instead of the project's setting. */
            draft?: boolean;
            /** @description The title of its jobs and their pull requests, as for a new job. */
            title?: string;
            /** @description The limits of each of its jobs. */
            budget?: components["schemas"]["JobBudget"];
            /** @description The metadata of each of its jobs, as for a new job. */
            metadata?: components["schemas"]["JobMetadata"];
            webhook?: components["schemas"]["AutomationWebhook"];
            /**
             * @description Whether it can be triggered.
             * @default true
             */
            enabled?: boolean;
            trigger?: components["schemas"]["Trigger"];
            /** @description Whether a run continues the open pull request of an earlier run. Otherwise, each run has its own job. Default: true. */
            foldIntoOpenPullRequest?: boolean;
            /** @description How many runs may start on one day (UTC). Events beyond it are skipped. */
            maxRunsPerDay?: number;
            /** @description Minutes between the starts of two runs. Events within them are skipped. */
            cooldownMinutes?: number;
        };
        /**
         * @description What starts runs. If omitted: API calls only. `schedule`: five cron fields in a time zone, at least 15 minutes between two
         *     occurrences. `webhook`: deliveries to `POST /v1/hooks/{automationId}`. `code`: pull requests and pushes of
         *     repositories that the project watches. `readers`: reader signals, counted every ten minutes.
         */
        Trigger: {
            /** @enum {string} */
            type: "api";
        } | {
            /** @enum {string} */
            type: "schedule";
            /**
             * @description Minute, hour, day of the month, month, day of the week. A time that the clock skips in spring is left out.
             * @example 0 9 * * 1
             */
            cron: string;
            /**
             * @description An IANA time zone. Absent, UTC.
             * @example Europe/Berlin
             */
            timezone?: string;
            /** @description Each run starts up to this many minutes late, at random. Default: 0. */
            jitterMinutes?: number;
            /**
             * @description What happens to occurrences that were missed while Docent was down. Default: `one` run for all of them.
             * @enum {string}
             */
            catchUp?: "none" | "one";
        } | {
            /** @enum {string} */
            type: "webhook";
            /**
             * @description A [JMESPath](https://jmespath.org) expression. Only JSON payloads for which it is true start a run.
             * @example action == 'published'
             */
            filter?: string;
        } | {
            /** @enum {string} */
            type: "code";
            /** @description Names of the project's sources, or `.` for its own repository, whose docs are left out. If omitted: all sources. */
            repositories?: string[];
            /**
             * @description `opened`, `approved`, `merged`: pull requests. `pushed`: branches. `stale_citation`: lines of a source that a page cites
             *     have changed.
             */
            events: ("opened" | "approved" | "merged" | "pushed" | "stale_citation")[];
            /** @description Globs of files. Only changes to these start a run, and only these are shown to the agent. */
            paths?: string[];
            /** @description Globs of branches that are pushed to, or that pull requests go into. If omitted: the branch of the source. */
            branches?: string[];
            /** @description Whether drafts of pull requests start no run. Default: true. */
            ignoreDrafts?: boolean;
        } | {
            /** @enum {string} */
            type: "readers";
            /**
             * @description `not_found`: visitors open a page that does not exist. `search_without_click`: visitors search and open no result.
             *     `negative_feedback`: visitors find a page unhelpful. `agent_feedback`: agents give feedback on a page. `read_by_ai_only`:
             *     AI visitors read a page, and no human does.
             * @enum {string}
             */
            signal: "not_found" | "search_without_click" | "negative_feedback" | "agent_feedback" | "read_by_ai_only";
            /**
             * @description Distinct visitors that start a run: humans, except for the last two signals. A page or search starts no other run for
             *     `days`.
             */
            threshold: number;
            /** @description How many days are counted. */
            days: number;
        };
        /**
         * @description `queued`: waits for the previous run, or for the project's limits. `running`. `review_needed`: its pull request is open, or its change or question needs an answer. `accepted` and `closed`: the result of the pull request; `closed` also means a
         *     canceled job. `no_action`: there was nothing to change. `failed`. `skipped`: see `skippedBecause`.
         * @enum {string}
         */
        AutomationRunStatus: "queued" | "running" | "review_needed" | "accepted" | "closed" | "no_action" | "failed" | "skipped";
        AutomationRun: {
            id: string;
            /** @description 1, 2, 3 …; numbers may be missing. Null for a skipped run. */
            number: number | null;
            status: components["schemas"]["AutomationRunStatus"];
            /**
             * @description `disabled`, `paused` (after three failures in a row), `filtered`, `cap` (`maxRunsPerDay`), `cooldown`, `missed` (an
             *     occurrence of a schedule that came too late), or `duplicate` (an occurrence that was reported before a restore).
             * @enum {string|null}
             */
            skippedBecause: "disabled" | "paused" | "filtered" | "cap" | "cooldown" | "missed" | "duplicate" | null;
            /** @description What started the run. */
            cause: {
                /** @enum {string} */
                type: "api" | "schedule" | "webhook" | "code" | "readers";
                source: string;
                /** @description The ID of the delivery, the time of the schedule, the page or search of readers with a date, or the Idempotency-Key. */
                deliveryId: string | null;
                /** @description Who called, or the kind of event as its sender names it. */
                actor: string | null;
                /** @description The pull request that started the run, if the code host reports one. */
                url: string | null;
            };
            /** @description The number of events that share the run. */
            events: number;
            /** @description For runs started by code: the commits that earlier runs have seen, by repository. */
            since: {
                [key: string]: string;
            } | null;
            /** @description The commits up to which this run sees the code. */
            until: {
                [key: string]: string;
            } | null;
            /** @description What the run received besides its prompt; null if nothing. */
            material: {
                commits: number;
                files: number;
                characters: number;
                /** @description Whether some of it was left out. */
                cut: boolean;
            } | null;
            /** @description The job of the run, which may have been deleted since. */
            jobId: components["schemas"]["JobId"] | null;
            /** @description The pull request of the run. */
            pullRequest: {
                id: string;
                link: string | null;
                /** @enum {string} */
                state: "open" | "merged" | "closed";
            } | null;
            /** @description What the model used for the run; null until the run has ended. */
            usage: {
                modelCalls: number;
                inputTokens: number;
                cachedInputTokens: number;
                outputTokens: number;
                costUsd: number | null;
            } | null;
            /** @description The result of the run, or why it has none. */
            summary: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            endedAt: string | null;
        };
        AutomationRunPage: {
            runs: components["schemas"]["AutomationRun"][];
            nextCursor: components["schemas"]["NextCursor"];
        };
        AutomationSecret: {
            /** @description Where to send deliveries. */
            url: string;
            /** @description Keep it: it is not shown again. */
            secret: string;
        };
        DeliveryReceipt: {
            /** @description The id of the delivery in Docent. */
            id: string;
            /** @description Whether it was received before. */
            duplicate: boolean;
        };
        HostDeliveryReceipt: {
            /** @description How many events it added. */
            events: number;
            /** @description How many of its events were there before. */
            duplicates: number;
            /** @description Why Docent does not use it. Null for a delivery with events. */
            ignored: string | null;
        };
        AutomationChange: {
            name?: components["schemas"]["AutomationName"];
            prompt?: string;
            /** @description More of the prompt, after it. Variables are not replaced here. */
            instructions?: string | null;
            mode?: components["schemas"]["JobMode"] | null;
            ref?: components["schemas"]["BranchName"] | null;
            branch?: components["schemas"]["BranchPattern"] | null;
            model?: components["schemas"]["ModelId"] | null;
            effort?: components["schemas"]["Effort"] | null;
            draft?: boolean | null;
            title?: string | null;
            budget?: components["schemas"]["JobBudget"] | null;
            metadata?: components["schemas"]["JobMetadata"] | null;
            webhook?: components["schemas"]["AutomationWebhook"] | null;
            /** @description `true` also ends a pause. */
            enabled?: boolean;
            trigger?: components["schemas"]["Trigger"];
            /** @description Whether a run continues the open pull request of an earlier run. Otherwise, each run has its own job. */
            foldIntoOpenPullRequest?: boolean;
            /** @description How many runs may start on one day (UTC). Events beyond it are skipped. */
            maxRunsPerDay?: number | null;
            /** @description Minutes between the starts of two runs. Events within them are skipped. */
            cooldownMinutes?: number | null;
        };
        Automation: {
            id: components["schemas"]["AutomationId"];
            name: components["schemas"]["AutomationName"];
            prompt: string;
            instructions: string | null;
            mode: components["schemas"]["JobMode"];
            /** @description The base branch of its jobs; null for the project's. */
            ref: string | null;
            /** @description The branch pattern of its jobs; null if named automatically. */
            branch: string | null;
            /** @description The model of its jobs; null for the project's. */
            model: string | null;
            /** @enum {string|null} */
            effort: "low" | "medium" | "high" | null;
            /** @description Null for the project's default. */
            draft: boolean | null;
            /** @description The title of its jobs; null if each job gets its own. */
            title: string | null;
            /** @description The limits of each of its jobs, or null. An omitted part is null. */
            budget: {
                tokens: number | null;
                usd: number | null;
            } | null;
            metadata: components["schemas"]["JobMetadata"];
            /** @description The webhook of each of its jobs; null without one. */
            webhook: {
                url: string;
                events: components["schemas"]["WebhookEvents"];
                /** @description The named secret of the project that signs its messages; null without one. */
                secretName: string | null;
                /** @description Whether its messages carry a signature. */
                signed: boolean;
            } | null;
            /** @description Whether it can be triggered. */
            enabled: boolean;
            trigger: components["schemas"]["Trigger"];
            /** @description The trigger as a text for people. */
            triggerText: string;
            foldIntoOpenPullRequest: boolean;
            maxRunsPerDay: number | null;
            cooldownMinutes: number | null;
            /**
             * Format: date-time
             * @description When it paused itself, after three failures in a row. To resume it, set `enabled` to true.
             */
            pausedAt: string | null;
            pausedReason: string | null;
            /** @description The number of its last run, 0 before the first. */
            runs: number;
            /**
             * Format: date-time
             * @description When its last job was created.
             */
            lastTriggeredAt: string | null;
            /** @description Its last job, which may have been deleted. */
            lastJobId: components["schemas"]["JobId"] | null;
            /** @description The file of the docs repository that defines it; null if it was created in another way. */
            file: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last edited. Runs do not count.
             */
            updatedAt: string;
        };
        AutomationFileProblem: {
            file: string;
            line: number;
            message: string;
        };
        AutomationPlanChange: {
            /** @enum {string} */
            action: "create" | "update" | "delete";
            id: string;
            name: string;
            file: string;
            /** @description The fields that change. Empty for `delete`. */
            fields: {
                field: string;
                /** @description Null if it has no value yet. */
                before: unknown;
                /** @description Null if it has no value. */
                after: unknown;
            }[];
        };
        AutomationPlan: {
            /** @description The base branch. */
            ref: string;
            /** @description Its head. */
            commit: string;
            changes: components["schemas"]["AutomationPlanChange"][];
            /** @description Why files cannot be applied. */
            problems: components["schemas"]["AutomationFileProblem"][];
        };
        AutomationPage: {
            automations: components["schemas"]["Automation"][];
            nextCursor: components["schemas"]["NextCursor"];
        };
        AutomationTrigger: {
            /**
             * @description The subject of this run, for the agent: a text, or an object that is shown as JSON, of at most
             *     16,384 characters. It is passed as data; instructions in it are not followed.
             */
            context?: string | {
                [key: string]: unknown;
            };
        };
        TriggeredWorkflow: {
            /** @description The automation's id. */
            schemaId: string;
            /** @description The job's id. */
            instanceId: string;
            /** @description The job's id, as `GET /v2/agent/{projectId}/job/{id}` takes it. */
            jobId: string;
        };
        /**
         * @description The URL that messages are sent to, by POST, without credentials. Private addresses are rejected unless
         *     the operator lists them in `DOCENT_PRIVATE_HOSTS`. Redirects are not followed.
         * @example https://example.com/hooks/docent
         */
        WebhookUrl: string;
        /** @enum {string} */
        WebhookEvent: "job.completed" | "job.failed" | "job.archived" | "pull_request.opened" | "pull_request.updated" | "pull_request.merged" | "pull_request.closed" | "budget.reached" | "automation.paused" | "analytics.report" | "analytics.alert";
        /** @description The events to send. */
        WebhookEvents: components["schemas"]["WebhookEvent"][];
        /** @description The signing secret: `whsec_` and 24 to 64 bytes in base64. */
        WebhookSecret: string;
        NewWebhook: {
            url: components["schemas"]["WebhookUrl"];
            /** @description The events to send. If omitted: all current events. */
            events?: components["schemas"]["WebhookEvents"];
            /** @default  */
            description?: string;
            /** @default true */
            enabled?: boolean;
            /** @description Your own signing secret: `whsec_` and 24 to 64 bytes in base64. If omitted: generated. */
            secret?: components["schemas"]["WebhookSecret"];
        };
        /** @description A webhook for this job only, in addition to the project's webhooks. */
        JobWebhook: {
            url: components["schemas"]["WebhookUrl"];
            /** @description The events to send. If omitted: all current events. */
            events?: components["schemas"]["WebhookEvents"];
            /** @description The signing secret. If omitted, messages are not signed. */
            secret?: components["schemas"]["WebhookSecret"];
        };
        /** @description A webhook for each job of the automation, in addition to the project's webhooks. */
        AutomationWebhook: {
            url: components["schemas"]["WebhookUrl"];
            /** @description The events to send. If omitted: all current events. */
            events?: components["schemas"]["WebhookEvents"];
            /** @description The signing secret. If omitted, and without `secretName`, messages are not signed. */
            secret?: components["schemas"]["WebhookSecret"];
            /** @description The named secret of the project that signs messages, instead of `secret`. */
            secretName?: components["schemas"]["SecretName"];
        };
        /**
         * @description The name of a secret of the project.
         * @example chat
         */
        SecretName: string;
        NewNamedSecret: {
            value: components["schemas"]["WebhookSecret"];
        };
        NamedSecret: {
            name: components["schemas"]["SecretName"];
            /**
             * Format: date-time
             * @description When it was last set.
             */
            updatedAt: string;
        };
        NamedSecretList: {
            secrets: components["schemas"]["NamedSecret"][];
        };
        WebhookChange: {
            url?: components["schemas"]["WebhookUrl"];
            events?: components["schemas"]["WebhookEvents"];
            description?: string;
            enabled?: boolean;
        };
        Webhook: {
            id: string;
            /** @description The job that it belongs to; null for a webhook of the project. */
            jobId: string | null;
            /** @description For a job's webhook: without its query. */
            url: string;
            events: components["schemas"]["WebhookEvents"];
            description: string;
            enabled: boolean;
            /** @description Why Docent disabled it; null if it is enabled or was disabled manually. */
            disabledReason: string | null;
            /** @description Whether its messages are signed. False only for a job's webhook without a secret. */
            signed: boolean;
            /**
             * Format: date-time
             * @description Until when messages are also signed with the previous secret.
             */
            previousSecretUntil: string | null;
            /**
             * Format: date-time
             * @description Since when every attempt has failed; null after a success. After three days it is disabled.
             */
            failingSince: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description The webhook, and its secret. */
        CreatedWebhook: components["schemas"]["Webhook"] & {
            /** @description The secret. Null if the response is a replay. */
            secret: string | null;
        };
        WebhookList: {
            webhooks: components["schemas"]["Webhook"][];
        };
        /**
         * @description `pending`: waits for its first or next attempt. `delivered`: an attempt returned 2xx. `failed`: no
         *     more attempts.
         * @enum {string}
         */
        DeliveryState: "pending" | "delivered" | "failed";
        WebhookDelivery: {
            /** @description The `webhook-id` of the message, the same for every attempt. */
            id: string;
            /** @description An event, or `ping`. */
            type: string;
            state: components["schemas"]["DeliveryState"];
            /** @description Why there are no more attempts. */
            problem: string | null;
            /** @description Attempts so far. One whose process died is counted, and is not in the log. */
            attempts: number;
            /** @description The HTTP status of the newest attempt; null if there was no response. */
            lastStatus: number | null;
            /**
             * Format: date-time
             * @description Null for the first attempt, which is immediate, and if there is no next attempt.
             */
            nextAttemptAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            finishedAt: string | null;
        };
        WebhookDeliveryPage: {
            deliveries: components["schemas"]["WebhookDelivery"][];
            nextCursor: components["schemas"]["NextCursor"];
        };
        WebhookDeliveryDetails: components["schemas"]["WebhookDelivery"] & {
            payload: components["schemas"]["WebhookPayload"];
            /** @description The attempts, oldest first. */
            log: components["schemas"]["WebhookAttempt"][];
        };
        WebhookAttempt: {
            no: number;
            /** Format: date-time */
            startedAt: string;
            ms: number;
            /** @description Of the response; null without one. */
            status: number | null;
            /** @description Why the attempt failed. */
            problem: string | null;
            /** @description The first kilobyte of the response body. */
            response: string | null;
        };
        /** @description The body of a message. */
        WebhookPayload: {
            /** @example job.completed */
            type: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description `projectId`, and the subject of the event at that time: `job` as in `GET …/job/{id}` (`job.*`,
             *     `budget.reached`), but with `Job` and its ID as the `title` if you gave none; `pullRequest` as in
             *     `GET …/pull-request` (`pull_request.*`); `budget` with `name` (`jobTokens`, `jobUsd`, `dayTokens` or
             *     `dayUsd`) and `limit` (`budget.reached`); `automation` with `id`, `name` and `reason`
             *     (`automation.paused`); `report` (`analytics.report`); `alert` (`analytics.alert`). More may be
             *     added.
             */
            data: {
                projectId: components["schemas"]["ProjectId"];
                job?: components["schemas"]["Job"];
                pullRequest?: components["schemas"]["PullRequest"];
                budget?: {
                    /** @enum {string} */
                    name: "jobTokens" | "jobUsd" | "dayTokens" | "dayUsd";
                    limit: number;
                };
                automation?: {
                    id: components["schemas"]["AutomationId"];
                    name: string;
                    /** @description A sentence. */
                    reason: string;
                };
                report?: components["schemas"]["AnalyticsReport"];
                alert?: components["schemas"]["AnalyticsAlert"];
            };
        };
        /**
         * @description The operator's name for a code host. `local` is the server's own disk.
         * @example github
         */
        HostId: string;
        /**
         * @description `gitea` includes Forgejo.
         * @enum {string}
         */
        HostKind: "github" | "gitlab" | "gitea";
        HttpAddress: string;
        /** @description A token, or the private key (PEM) of a GitHub App. */
        Credential: string;
        NewHost: {
            id: components["schemas"]["HostId"];
            kind: components["schemas"]["HostKind"];
            /**
             * @description The web URL, which the URLs of its repositories start with. Default: `https://github.com` or
             *     `https://gitlab.com`; required for Gitea.
             */
            url?: components["schemas"]["HttpAddress"];
            /** @description The URL of its API, if it is not at the default path below `url`. */
            apiUrl?: components["schemas"]["HttpAddress"];
            /** @description The ID of a GitHub App. The credential is then its private key. */
            appId?: string | null;
            credential: components["schemas"]["Credential"];
        };
        /** @enum {string} */
        ProviderWithKey: "anthropic" | "openai" | "google" | "openai-compatible";
        ModelKeyChange: {
            /** @description The key, as the provider shows it. */
            key: string;
            /** @description The server's address. Required for `openai-compatible`, and only valid there. */
            baseUrl?: components["schemas"]["HttpAddress"];
        };
        StoredModelKey: {
            provider: components["schemas"]["ProviderWithKey"];
            baseUrl: string | null;
            /** Format: date-time */
            updatedAt: string;
        };
        HostChange: {
            credential: components["schemas"]["Credential"];
        };
        Host: {
            id: string;
            kind: components["schemas"]["HostKind"];
            url: string;
            apiUrl: string;
            /** @description Null if the credential is a token. */
            appId: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the credential was last replaced.
             */
            updatedAt: string;
        };
        HostCheck: {
            ok: boolean;
            /** @description The account of the credential. */
            account: string | null;
            /** @description Problems and missing permissions. Empty if `ok`. */
            problems: string[];
            /** @description Whether webhooks arrive. Null before the code host is connected. */
            deliveries: components["schemas"]["HostDeliveries"] | null;
        };
        HostDeliveries: {
            /** Format: date-time */
            lastReceivedAt: string | null;
            /** @description The event of the last delivery, as the code host names it. */
            lastEvent: string | null;
            /** Format: date-time */
            lastRefusedAt: string | null;
            /** @description Why the last refused delivery was refused. */
            lastRefusal: string | null;
        };
        ConnectedHost: {
            /** @description Where webhooks deliver. */
            url: string;
            /** @description The new secret. It is not shown again. Null if there was one before. */
            secret: string | null;
            /** @description The events to choose, as the code host names them. */
            events: string[];
            /** @description Problems with the credential. */
            problems: string[];
            repositories: {
                repository: string;
                /** @enum {string} */
                result: "created" | "updated" | "failed";
                problem: string | null;
            }[];
        };
        CheckedHost: components["schemas"]["Host"] & {
            /** @description The account of the credential. */
            account: string | null;
        };
        NewProject: {
            id: components["schemas"]["ProjectId"];
            repository: components["schemas"]["Repository"];
            /** @description The code host, if several match the URL. */
            host?: components["schemas"]["HostId"];
            /** @description The base branch. If null or omitted: the repository's default branch. */
            ref?: components["schemas"]["BranchName"] | null;
            docsDir?: components["schemas"]["DocsDir"];
            model?: components["schemas"]["OwnModel"];
            settings?: components["schemas"]["ProjectSettings"];
        };
        /**
         * @description The name by which the agent and citations refer to it.
         * @example server
         */
        SourceName: string;
        /**
         * @description The folders and files that jobs can read, with `/` as separator. Empty: the whole repository. Git's own
         *     folder is never readable, nor are files whose names suggest secrets.
         * @example [
         *       "src",
         *       "openapi.yaml"
         *     ]
         */
        SourcePaths: string[];
        NewSource: {
            name: components["schemas"]["SourceName"];
            repository: components["schemas"]["Repository"];
            /** @description The code host, if several match the URL. */
            host?: components["schemas"]["HostId"];
            /** @description The branch. If null or omitted: the repository's default branch. */
            ref?: components["schemas"]["BranchName"] | null;
            paths?: components["schemas"]["SourcePaths"];
        };
        SourceChange: {
            /** @description The branch. Null: the repository's default branch. */
            ref?: components["schemas"]["BranchName"] | null;
            paths?: components["schemas"]["SourcePaths"];
        };
        Source: {
            name: components["schemas"]["SourceName"];
            repository: components["schemas"]["Repository"];
            /** @description The code host; `local` for the server's own disk. */
            host: string;
            ref: components["schemas"]["BranchName"];
            paths: components["schemas"]["SourcePaths"];
            /** Format: date-time */
            createdAt: string;
        };
        SourceList: {
            sources: components["schemas"]["Source"][];
        };
        JobCitations: {
            citations: components["schemas"]["Citation"][];
            /** @description Claims for which the agent named a source that Docent could not verify. */
            claimsWithoutSource: number;
        };
        Citation: {
            /** @description The turn that verified it. */
            turn: number;
            /** @description The page, as a path in the repository of the docs. */
            page: string;
            /** @description The line in which the claim begins. */
            line: number;
            /** @description The claim, as the page has it, on one line. */
            claim: string;
            source: {
                name: components["schemas"]["SourceName"];
                /** @description The repository at the time. */
                repository: string;
                path: string;
                /** @description The commit that the agent read. */
                commit: string;
                fromLine: number;
                toLine: number;
                /** @description The SHA-256 of the cited lines, joined by line feeds, in hexadecimal digits. */
                sha256: string;
            };
            /**
             * @description `held`: the source's branch has the cited lines. `stale`: the lines changed. `gone`: the file no
             *     longer exists.
             * @enum {string}
             */
            state: "held" | "stale" | "gone";
        };
        RepositoryToCheck: {
            repository: components["schemas"]["Repository"];
            /** @description The code host, if several match the URL. */
            host?: components["schemas"]["HostId"];
            /** @description The base branch. If null or omitted: the repository's default branch. */
            ref?: components["schemas"]["BranchName"] | null;
            docsDir?: components["schemas"]["DocsDir"];
        };
        RepositoryCheck: {
            /** @description Whether you can create a project from it. */
            usable: boolean;
            /** @description Why not; null if it is usable. */
            problem: string | null;
            /** @description The code host; null if none matches. */
            host: string | null;
            /** @description The resolved name, which may differ from the requested one. */
            repository: string;
            /** @description The base branch of a project; the default branch if you gave none. Null if it is not usable. */
            ref: string | null;
            /** @description The commit that was checked. */
            commit: string | null;
            /**
             * @description The folder with the site's pages, as a `docsDir`; empty for the whole repository. Null without a
             *     known site.
             */
            suggestedDocsDir: string | null;
            /** @description The site generator. Null if the time was not sufficient. */
            site: components["schemas"]["FoundSite"] | null;
            /** @description The agent instructions of the repository, such as `AGENTS.md`. Null as for `site`. */
            instructions: components["schemas"]["InstructionFile"][] | null;
            /** @description The results of the docs checks. Null if there are too many pages to check in time. */
            checks: components["schemas"]["SiteChecks"] | null;
            /** @description Results that are missing, and why. */
            notes: string[];
        };
        SiteChecks: {
            /** @description Pages that were checked. */
            pages: number;
            /** @description Pages without a `description` in their front matter. */
            pagesWithoutDescription: number;
            /** @description By rule, most severe first, then most frequent. */
            problems: {
                /** @example missing-page */
                code: string;
                /**
                 * Format: uri
                 * @description Where the docs explain the rule.
                 */
                help: string;
                /** @enum {string} */
                severity: "error" | "warning" | "notice";
                count: number;
                example: {
                    path: string;
                    line: number;
                    message: string;
                };
            }[];
        };
        SuggestionList: {
            suggestions: components["schemas"]["Suggestion"][];
            /** @description The model of the project's new jobs. The prompts are written for it. */
            model: string;
            /** @description Whether analytics was available. If not, suggestions based on readers are missing. */
            readersKnown: boolean;
        };
        Suggestion: {
            /** @enum {string} */
            kind: "broken-link" | "docs-problems" | "missing-descriptions" | "popular-page" | "stale-citation" | "unanswered-search" | "negative-feedback";
            title: string;
            prompt: string;
            evidence: {
                /** @description The page, as sent by readers, sanitized; null if there are several. */
                path: string | null;
                /**
                 * @description How often the page was requested or viewed by people in the last 30 days; the number of readers
                 *     who searched or found the page unhelpful; or the number of problems, pages or statements.
                 */
                count: number;
                /**
                 * @description What readers searched for, or at most three of their comments on the page, sanitized and without
                 *     secrets.
                 */
                quotes?: string[];
                /** @description For `stale-citation`, the statements of the page whose sources changed. */
                citations?: {
                    /** @description The line of the page in which the claim began. */
                    line: number;
                    claim: string;
                    /** @description The cited lines, as `source:path#L1-L2`. */
                    source: string;
                    /** @description The lines as they were cited. */
                    oldLines: string;
                    /** @description The lines in their place now; null if the file no longer exists. */
                    newLines: string | null;
                }[];
            };
        };
        ProjectChange: {
            repository?: components["schemas"]["Repository"];
            /** @description The code host, if several match the URL. Without `repository`: the same URL on that host. */
            host?: components["schemas"]["HostId"];
            ref?: components["schemas"]["BranchName"];
            docsDir?: components["schemas"]["DocsDir"];
            model?: components["schemas"]["OwnModel"];
            settings?: components["schemas"]["ProjectSettings"];
        };
        /** @description The project's own model. If null or omitted: the default model at the time a job is created. */
        OwnModel: components["schemas"]["ModelId"] | null;
        InstallationModel: {
            /** @description The model of projects that do not set one. */
            model: string;
            /**
             * @description `environment`: `DOCENT_MODEL` of the server, which takes precedence. `setting`: set by API.
             *     `default`: not set.
             * @enum {string}
             */
            from: "environment" | "setting" | "default";
        };
        TestedModel: {
            model: string;
            /** @description The model responded and called the tool. */
            ok: boolean;
            /** @description A code of failed jobs, such as `model_key`, `model_unknown` or `model_unavailable`; or `model_no_tool_call`. Null if `ok`. */
            code: string | null;
            /** @description The problem and what to do. Null if `ok`. */
            message: string | null;
            /** @description The response time. This and the other values are null without a response. */
            ms: number | null;
            inputTokens: number | null;
            outputTokens: number | null;
            /** @description Null if the model's price is not known. */
            costUsd: number | null;
        };
        ProjectInstructions: {
            /** @description The base branch. */
            ref: string;
            /** @description The commit that was checked. */
            commit: string;
            /** @description Characters in total that the agent receives with every step. */
            includedCharacters: number;
            /** @description The files that the agent receives, in order, and those that it does not. */
            files: components["schemas"]["InstructionFile"][];
        };
        InstructionFile: {
            path: string;
            /**
             * @description What the agent receives it as.
             * @enum {string}
             */
            role: "instructions" | "styleGuide";
            /** @description Its length, without parts that readers do not see. Null if it is not readable. */
            characters: number | null;
            /** @description How many characters the agent receives; 0 for none. */
            includedCharacters: number;
            /** @description Why it is included, cut or left out. */
            why: string;
            /** @description Named in the project's settings, but not readable. */
            missing: boolean;
        };
        Project: {
            id: components["schemas"]["ProjectId"];
            /**
             * @description The code host's name. `local` is the server's own disk.
             * @example local
             */
            host: string;
            /** @description The repository's URL, or its absolute path on the server. */
            repository: string;
            /** @description The repository as jobs show it in `source.repository`. */
            repositoryUrl: string;
            /** @description The base branch, which is the target of pull requests. */
            ref: string;
            /** @description The folder that the agent may change; empty for the whole repository. */
            docsDir: string;
            /** @description The model of new jobs. */
            model: string;
            /**
             * @description Whether the project sets the model or uses the default.
             * @enum {string}
             */
            modelFrom: "project" | "installation";
            settings: components["schemas"]["CompleteProjectSettings"];
            /** @description How long visitors keep one ID, oldest policy first. */
            analyticsSalts: {
                /** @enum {string} */
                policy: "fixed" | "monthly" | "daily";
                /**
                 * Format: date
                 * @description The first day (UTC) of the policy. Null is the beginning.
                 */
                from: string | null;
            }[];
            /**
             * @description The detected site. Only in responses that create a project, or change its repository, base branch
             *     or `settings.site`. Null if the repository could not be read in time.
             */
            site?: components["schemas"]["FoundSite"] | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        FoundSite: {
            /**
             * @description The site generator; `plain` for Markdown without a known generator.
             * @enum {string}
             */
            kind: "docs.json" | "mint.json" | "docusaurus" | "vitepress" | "mkdocs" | "mdbook" | "starlight" | "hugo" | "sphinx" | "nextra" | "fumadocs" | "plain";
            /** @description The path of the configuration in the repository. */
            config: string | null;
            /** @description The folder with the site's pages; empty for the whole repository. */
            folder: string;
            /** @description The site's pages in `docsDir`. */
            pages: number;
            /** @description A sentence if the site generator is not certain. Set `settings.site` in this case. */
            unsure: string | null;
            /** @description Configurations of other sites in the repository. */
            candidates: string[];
            /** @description A sentence if the folder `docsDir` is missing or has no pages. Absent otherwise. */
            docsFolder?: string;
        };
        ProjectPage: {
            projects: components["schemas"]["Project"][];
            nextCursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description The URL of a repository on a code host, or the absolute path of a repository on the server, bare or
         *     not.
         * @example https://github.com/acme/docs
         * @example /srv/git/docs.git
         */
        Repository: string;
        /**
         * @description A valid git branch name, without `refs/heads/`.
         * @example main
         */
        BranchName: string;
        /**
         * @description A folder in the repository, with `/` as separator. The agent changes nothing outside. Empty: the whole
         *     repository. No part may be `.`, `..` or `.git`.
         * @example docs
         */
        DocsDir: string;
        /**
         * @description The model of new jobs: `builtin`, or a provider and its model.
         * @example builtin
         * @example anthropic/claude-sonnet-5
         */
        ModelId: string;
        Collected: {
            /** @description Always 1. */
            accepted: number;
        };
        /** @description Settings that differ from the defaults of the server. Null resets a setting. */
        ProjectSettings: {
            /**
             * @description The site, if Docent does not detect it or could detect several: the path of its configuration in the repository, or of the folder with it; `plain` for files that people read on their code host. Null: what Docent finds.
             * @example website/docusaurus.config.js
             */
            site?: string | null;
            /**
             * @description Files with instructions for agents, by path in the repository. They replace the files that Docent finds by name, such as `AGENTS.md`. Empty: none. A file that is not on the base branch is rejected. Null: what Docent finds.
             * @example [
             *       "docs/AGENTS.md"
             *     ]
             */
            instructionFiles?: string[] | null;
            /**
             * @description Style guides and term lists, by path in the repository. They replace the files that Docent finds by name. Empty: none. A file that is not on the base branch is rejected. Null: what Docent finds.
             * @example [
             *       "docs/style-guide.md"
             *     ]
             */
            styleGuides?: string[] | null;
            /** @description The prefix of branch names: `<branchPrefix>/<job id>`. Docent pushes to no other branches, except new branches that you name for a job, and with `allowPush`. Null: `DOCENT_BRANCH_PREFIX` (`docent`). */
            branchPrefix?: string | null;
            /** @description Days without a message until a finished job is archived. Null: `DOCENT_ARCHIVE_AFTER_DAYS` (`30`). */
            archiveAfterDays?: number | null;
            /** @description Concurrent jobs of the project. Further jobs are queued. A lower number does not stop running jobs. Null: `DOCENT_PROJECT_CONCURRENT_JOBS` (`10`). */
            concurrentJobs?: number | null;
            /** @description Input and output tokens that one job can spend on its model. At the limit, the job stops before its next step and keeps its changes. Null: `DOCENT_BUDGET_JOB_TOKENS` (no limit). */
            budgetJobTokens?: number | null;
            /** @description US dollars per job. Null: `DOCENT_BUDGET_JOB_USD` (no limit). */
            budgetJobUsd?: number | null;
            /** @description Tokens per day (UTC), for all jobs of the project. Null: `DOCENT_BUDGET_DAY_TOKENS` (no limit). */
            budgetDayTokens?: number | null;
            /** @description US dollars per day (UTC), for all jobs of the project. Null: `DOCENT_BUDGET_DAY_USD` (no limit). */
            budgetDayUsd?: number | null;
            /**
             * @description The sites whose page script can send views: hosts with an optional scheme and port, or `*.` and a domain for all its subdomains. Localhost and previews count only if you list them exactly. Null: every public site.
             * @example [
             *       "docs.example.com",
             *       "*.example.org"
             *     ]
             */
            analyticsOrigins?: string[] | null;
            /** @description Whether to open pull requests as drafts. Null: no. */
            draft?: boolean | null;
            /** @description Whether jobs can push to the base branch, with `mode: push`. If off, such jobs are rejected. Null: no. */
            allowPush?: boolean | null;
            /**
             * @description Labels for new pull requests, if the repository has them. Null: none.
             * @example [
             *       "docs"
             *     ]
             */
            labels?: string[] | null;
            /**
             * @description Account names of reviewers to request for new pull requests. Null: none.
             * @example [
             *       "octocat"
             *     ]
             */
            reviewers?: string[] | null;
            /**
             * @description A template for the first line of commits and for titles of pull requests, such as `docs: {title}`. `{title}` is replaced. A `title` that you give a job is used as it is. Null: `{title}`.
             * @example docs: {title}
             */
            commitSubject?: string | null;
            /** @description Whether commits end with `Signed-off-by:` and the commit author (`DOCENT_COMMIT_AUTHOR`), as the Developer Certificate of Origin asks. Null: no. */
            signOff?: boolean | null;
            /** @description Whether Docent commits over the API of GitHub, as its GitHub App. GitHub then shows the commits as verified. The host must be connected with an App. Null: no. */
            verifiedCommits?: boolean | null;
            /**
             * @description How Docent merges pull requests on a code host: `merge` (a merge commit), `squash` or `rebase`. Local repositories ignore it. Null: the first of these that the repository allows.
             * @enum {string|null}
             */
            mergeMethod?: "merge" | "squash" | "rebase" | null;
            /**
             * @description Texts that look like secrets but can be published, such as example keys, by ID. The message of a blocked job contains the ID. An ID is the first 16 hexadecimal digits of the value's SHA-256. Null: none.
             * @example [
             *       "9f86d081884c7d65"
             *     ]
             */
            allowedSecrets?: string[] | null;
            /**
             * @description Web pages that jobs can read, besides the repository: URLs whose path may contain `*` for any text. Pages on private addresses also need `DOCENT_PRIVATE_HOSTS`. Null: none.
             * @example [
             *       "https://docs.example.com/*"
             *     ]
             */
            webPages?: string[] | null;
            /**
             * @description The name by which people call Docent in pull requests, without the `@`. Null: `docent`.
             * @example docent
             */
            mentionName?: string | null;
            /**
             * @description Accounts, by the code host's own ID, that can send messages in pull requests without write access to the repository, such as bots. Null: none.
             * @example [
             *       "49699333"
             *     ]
             */
            allowedAccounts?: string[] | null;
            /** @description How often Docent tries to fix failed checks of a pull request. 0 turns it off. Null: `2`. */
            failedCheckFollowUps?: number | null;
            /** @description Days to keep page views. 0 means forever. Older days are deleted within minutes. Raising the number does not restore them. Null: `DOCENT_ANALYTICS_RETENTION_DAYS` (forever). */
            analyticsRetentionDays?: number | null;
            /**
             * @description The path below which readers find the docs, such as `/docs`, if the site configuration does not define it. The readers before and after a merge are counted there. Null: none.
             * @example /docs
             */
            analyticsPathPrefix?: string | null;
            /**
             * @description How often a report about readers is sent: every `week` or every `month`. Null: never.
             * @enum {string|null}
             */
            analyticsReport?: "week" | "month" | null;
            /** @description Whether days with unusually many or few readers are reported. Null: no. */
            analyticsAlerts?: boolean | null;
            /**
             * @description Email addresses that get reports and alerts. Webhooks get them too. Null: none.
             * @example [
             *       "team@example.com"
             *     ]
             */
            analyticsRecipients?: string[] | null;
            /**
             * @description The time zone of reports, as an IANA name such as `Europe/Berlin`. Null: `UTC`.
             * @example Europe/Berlin
             */
            timeZone?: string | null;
            /**
             * @description How long a visitor keeps one ID: forever (`fixed`), within a calendar month (`monthly`) or within a day (UTC, `daily`). The last policy that you set. It applies to events from the day after tomorrow (`analyticsSalts` has the day), or immediately in a project without events. Existing IDs stay. Seven days after a period ends, its salt is destroyed and its events are rejected. Null: `fixed`.
             * @enum {string|null}
             */
            analyticsSaltPolicy?: "fixed" | "monthly" | "daily" | null;
            /** @description The classes of visitors that count as human. The next maintenance recomputes the counts, within minutes. Until then, responses use the previous mapping and state it in `mapping`. Null: `["human"]`. */
            analyticsHumanClasses?: ("human" | "assistant" | "search" | "training" | "other")[] | null;
            /**
             * @description The classes that count as AI. A class cannot be both. Null: `["assistant"]`.
             * @example [
             *       "assistant",
             *       "search"
             *     ]
             */
            analyticsAiClasses?: ("human" | "assistant" | "search" | "training" | "other")[] | null;
        };
        /** @description Every setting. Null if the default applies. */
        CompleteProjectSettings: WithRequired<components["schemas"]["ProjectSettings"], "site" | "instructionFiles" | "styleGuides" | "branchPrefix" | "archiveAfterDays" | "concurrentJobs" | "budgetJobTokens" | "budgetJobUsd" | "budgetDayTokens" | "budgetDayUsd" | "analyticsOrigins" | "draft" | "allowPush" | "labels" | "reviewers" | "commitSubject" | "signOff" | "verifiedCommits" | "mergeMethod" | "allowedSecrets" | "webPages" | "mentionName" | "allowedAccounts" | "failedCheckFollowUps" | "analyticsRetentionDays" | "analyticsPathPrefix" | "analyticsReport" | "analyticsAlerts" | "analyticsRecipients" | "timeZone" | "analyticsSaltPolicy" | "analyticsHumanClasses" | "analyticsAiClasses">;
        /** @enum {string} */
        KeyScope: "read" | "write" | "events" | "analytics";
        Caller: {
            /**
             * @description `person`: a signed-in person, with any role.
             * @enum {string}
             */
            kind: "operator" | "key" | "token" | "person";
            /** @description The key; null for the operator and for a token. */
            key: components["schemas"]["Key"] | null;
            /** @description The token; null for the operator and for a key. */
            token: components["schemas"]["Token"] | null;
            /** @description The signed-in person; null without a session. */
            person: components["schemas"]["SignedIn"] | null;
            /** @description The limits of each project, for all callers. */
            limits: {
                /** @description New jobs. */
                jobsPerHour: number;
                /** @description Follow-up messages. */
                messagesPerHour: number;
            };
            /**
             * @description The version of the server.
             * @example 0.1.0
             */
            version: string;
        };
        /** @enum {string} */
        Role: "viewer" | "editor" | "admin";
        SignedIn: {
            /** @description Null for the operator (operator token or sign-in link). */
            id: string | null;
            /** @description From the identity provider; `Operator` for the operator. */
            name: string | null;
            email: string | null;
            role: components["schemas"]["Role"];
            /** @description The projects of the role; null for all. */
            projectIds: components["schemas"]["ProjectId"][] | null;
            sessionId: string;
            /**
             * Format: date-time
             * @description When this browser must sign in again at the latest.
             */
            sessionExpiresAt: string;
        };
        SignIn: {
            id: string;
            /** @description Whether it is the one that asks. */
            current: boolean;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description To the minute.
             */
            lastUsedAt: string;
            /**
             * Format: date-time
             * @description However much it is used.
             */
            expiresAt: string;
            /** @description The IP address of the sign-in; null if not known. */
            address: string | null;
            /** @description The user agent of the browser, shortened. */
            userAgent: string | null;
        };
        SignInLink: {
            /**
             * Format: uri
             * @description Open it in the browser. It works once and contains a secret.
             */
            url: string;
            /** Format: date-time */
            expiresAt: string;
        };
        Person: {
            id: string;
            /** @description The identity provider. */
            issuer: string;
            name: string | null;
            /** @description Null if the provider has not verified it. */
            email: string | null;
            /** @enum {string} */
            role: "viewer" | "editor" | "admin";
            /** @description The projects of the role; null for all. */
            projectIds: string[] | null;
            /**
             * @description Whether role and projects are read from the provider at each sign-in. `false` if they were set
             *     manually.
             */
            roleFromProvider: boolean;
            /** @description Whether they are let in no more. */
            disabled: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastSignInAt: string | null;
        };
        PersonPage: {
            people: components["schemas"]["Person"][];
            nextCursor: components["schemas"]["NextCursor"];
        };
        PersonChange: {
            /** @enum {string} */
            role?: "viewer" | "editor" | "admin";
            /** @description The projects of the role; null for all. */
            projectIds?: components["schemas"]["ProjectId"][] | null;
            /**
             * @description True lets the provider decide about role and projects again, from the next sign-in. Not together
             *     with `role` or `projectIds`.
             */
            roleFromProvider?: boolean;
            disabled?: boolean;
        };
        SignInWays: {
            /** @description The identity provider for sign-in; null if none is configured. */
            openIdConnect: {
                /** @description The text of a button. */
                name: string;
                /** @description The path of this server at which a browser signs in. */
                url: string;
            } | null;
            /** @description Whether the browser that asks is signed in. */
            signedIn: boolean;
        };
        /** @description One of the two. */
        NewSignIn: {
            /** @description The part after `#link=` in a sign-in link. */
            link?: string;
            operatorToken?: string;
        };
        NewToken: {
            /** @description The project of the token, one of the key's projects. */
            projectId: components["schemas"]["ProjectId"];
            /**
             * @description The scopes, which the key must have. `write` includes `read`.
             * @default [
             *       "read"
             *     ]
             */
            scopes?: components["schemas"]["KeyScope"][];
            /**
             * @description The only job that the token can access, with its events; null for all jobs of the project.
             * @default null
             */
            jobId?: components["schemas"]["JobId"] | null;
            /**
             * @description The only origin whose pages can use the token, one of `DOCENT_ALLOWED_ORIGINS`; null for any
             *     caller. Only browsers are bound by it: other programs can send any origin.
             * @default null
             * @example https://app.example.com
             */
            origin?: string | null;
            /**
             * @description The lifetime, at most an hour.
             * @default 900
             */
            expiresInSeconds?: number;
        };
        Token: {
            id: string;
            scopes: components["schemas"]["KeyScope"][];
            projectId: string;
            /** @description Null for all jobs of the project. */
            jobId: string | null;
            /** @description Null for any caller. */
            origin: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        /** @description The token's record, and the token itself. */
        CreatedToken: components["schemas"]["Token"] & {
            /**
             * @description The token. Send it like a key. Null if the response is a replay.
             * @example docenttok_V7dk0f3kPq9sXw2mBn5cJt8rLz1yHa4eGuQ6oI
             */
            token: string | null;
        };
        NewKey: {
            /** @description The purpose of the key. One line, without control characters. */
            name: string;
            /** @description The projects of the key; null for all current and future projects. */
            projectIds: components["schemas"]["ProjectId"][] | null;
            /**
             * @description `read` (every GET), `write` (includes all others), `events` (sending page views), `analytics` (reading analytics).
             * @default [
             *       "read"
             *     ]
             */
            scopes?: components["schemas"]["KeyScope"][];
            /**
             * @description Null for a key without expiry.
             * @default 90
             */
            expiresInDays?: number | null;
            /**
             * @description The IP addresses or CIDR ranges that can use the key; null for any. A range of all addresses
             *     (`/0`) is rejected.
             * @default null
             * @example [
             *       "203.0.113.7",
             *       "10.0.0.0/8",
             *       "2001:db8::/32"
             *     ]
             */
            allowedAddresses?: string[] | null;
        };
        KeyChange: {
            /** @description One line, without control characters. */
            name?: string;
            /** @description From now; null for no expiry. */
            expiresInDays?: number | null;
            /** @description As in `POST /v1/keys`; null for any. */
            allowedAddresses?: string[] | null;
        };
        KeyRotation: {
            /**
             * @description How long the previous secret stays valid, at most 30 days.
             * @default 86400
             */
            overlapSeconds?: number;
        };
        Key: {
            id: string;
            name: string;
            /**
             * @description The key's first characters.
             * @example docent_V7dk
             */
            hint: string;
            scopes: components["schemas"]["KeyScope"][];
            /** @description Null for all projects. */
            projectIds: string[] | null;
            /** @description Null for any address. */
            allowedAddresses: string[] | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            revokedAt: string | null;
            /**
             * Format: date-time
             * @description The last use of any of its secrets, rounded to the minute.
             */
            lastUsedAt: string | null;
            /**
             * @description The current secret first, then earlier ones, newest first, while they are valid and for 30 days
             *     after.
             */
            secrets: {
                /** @description Its first characters. */
                hint: string;
                /** Format: date-time */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description Null for no end.
                 */
                validUntil: string | null;
                /**
                 * Format: date-time
                 * @description To the minute.
                 */
                lastUsedAt: string | null;
            }[];
        };
        /** @description The key's record, and the key itself. */
        CreatedKey: components["schemas"]["Key"] & {
            /** @description The key. Null if the response is a replay. */
            key: string | null;
        };
        KeyPage: {
            keys: components["schemas"]["Key"][];
            nextCursor: components["schemas"]["NextCursor"];
        };
        AuditActor: {
            /**
             * @description `operator`: with the operator token. `key`: with an API key. `token`: with a short-lived token of
             *     a key. `person`: signed in. `anonymous`: not authenticated. `maintenance`: Docent's own maintenance,
             *     which deletes expired data.
             * @enum {string}
             */
            kind: "operator" | "key" | "token" | "person" | "anonymous" | "maintenance";
            /** @description Of the key, the token or the person. */
            id: string | null;
            /** @description What it was called then. */
            name: string | null;
            /** @description The key that a token was made from. */
            keyId: string | null;
        };
        AuditEntry: {
            id: string;
            /** Format: date-time */
            at: string;
            actor: components["schemas"]["AuditActor"];
            /**
             * @description The `operationId` in this document. For `maintenance`: `removeJobs`, `removeTranscripts`,
             *     `removeJobEvents` or `removeAuditEntries`. `hostMessage`: a comment at a code host whose author
             *     has no write access.
             */
            operation: string;
            projectId: string | null;
            /**
             * @description The other IDs in the path, by name. For `maintenance`: how many were `removed`, and the `keepDays` that
             *     applied.
             */
            target: {
                [key: string]: string;
            };
            /** @description The names of the fields in the request. */
            changed: string[];
            /** @description The id of the created resource. */
            createdId: string | null;
            /** @description Where the request came from, seen through the trusted proxies. */
            address: string | null;
            /** @description As it was sent, on one line and of 300 characters at most. */
            userAgent: string | null;
            /** @description The `X-Request-Id` of the answer, which the lines of the log have, too. */
            requestId: string;
            /** @description The status of the answer; null if it is not known (yet). */
            status: number | null;
            /** @description The code of the error. */
            code: string | null;
            /** @description Nothing was done: the answer was that of an earlier request, by `Idempotency-Key`. */
            replayed: boolean;
        };
        AuditPage: {
            entries: components["schemas"]["AuditEntry"][];
            nextCursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description `contextual`: a page, with a comment; `thumbs_only`: a page, without a comment; `code_snippet`: code
         *     on a page; `agent`: from an AI agent.
         * @enum {string}
         */
        FeedbackSource: "code_snippet" | "contextual" | "agent" | "thumbs_only";
        /**
         * @description `helpful` and `contact` are present for `contextual`, `helpful` for `thumbs_only`, `code`, `filename`
         *     and `lang` for `code_snippet`.
         */
        Feedback: {
            id: string;
            path: string;
            /** @description Plain text of a stranger. */
            comment: string | null;
            /** Format: date-time */
            createdAt: string | null;
            source: components["schemas"]["FeedbackSource"];
            status: components["schemas"]["FeedbackStatus"];
            /** @description What you noted about it. */
            notes: string | null;
            helpful?: boolean;
            /** @description An email address that the reader gave. */
            contact?: string | null;
            code?: string;
            filename?: string | null;
            lang?: string | null;
        };
        /** @enum {string} */
        FeedbackStatus: "pending" | "in_progress" | "resolved" | "dismissed";
        FeedbackChange: {
            status?: components["schemas"]["FeedbackStatus"];
            /** @description Plain text. Null removes the notes. */
            notes?: string | null;
        };
        AgentFeedback: {
            /** @description The path or URL of the page. */
            path: string;
            /** @description Plain text. */
            feedback: string;
        };
        FeedbackList: {
            feedback: components["schemas"]["Feedback"][];
            nextCursor: components["schemas"]["NextCursor"];
            hasMore: boolean;
        };
        FeedbackByPage: {
            feedback: {
                path: string;
                thumbsUp: number;
                thumbsDown: number;
                /** @description Feedback on code. */
                code: number;
                total: number;
            }[];
            hasMore: boolean;
        };
        SearchList: {
            searches: {
                searchQuery: string;
                hits: number;
                ctr: number;
                topClickedPage: string | null;
                /** Format: date-time */
                lastSearchedAt: string;
            }[];
            totalSearches: number;
            nextCursor: components["schemas"]["NextCursor"];
        };
        Counts: {
            /** @description People. */
            human: number;
            /** @description AI assistants and agents. */
            ai: number;
            /** @description Visitors of either class. A visitor of both counts once. */
            total: number;
        };
        PathCounts: {
            /** @example /guides/start */
            path: string;
            human: number;
            ai: number;
            total: number;
        };
        /**
         * @description The classes that this response counts as human and as AI. After a change of the project's settings,
         *     the previous mapping applies until the counts are recomputed.
         */
        ClassMapping: {
            human: components["schemas"]["VisitorClass"][];
            ai: components["schemas"]["VisitorClass"][];
        };
        /** @description The version of the counted data. Send it as `version` to query the same data again. */
        DataVersion: number;
        /** @description Whether there are more rows after this page. */
        HasMore: boolean;
        Visitors: {
            totals: components["schemas"]["Counts"];
            visitors: components["schemas"]["PathCounts"][];
            hasMore: components["schemas"]["HasMore"];
            version: components["schemas"]["DataVersion"];
            mapping: components["schemas"]["ClassMapping"];
        };
        Views: {
            totals: components["schemas"]["Counts"];
            views: components["schemas"]["PathCounts"][];
            hasMore: components["schemas"]["HasMore"];
            version: components["schemas"]["DataVersion"];
            mapping: components["schemas"]["ClassMapping"];
        };
        Timeseries: {
            days: {
                /** Format: date */
                date: string;
                visitors: components["schemas"]["Counts"];
                views: components["schemas"]["Counts"];
            }[];
            version: components["schemas"]["DataVersion"];
            mapping: components["schemas"]["ClassMapping"];
        };
        Agents: {
            agents: {
                /** @example ChatGPT-User */
                agent: string;
                /** @example OpenAI */
                operator: string | null;
                class: components["schemas"]["VisitorClass"];
                visitors: number;
                views: number;
                /** @description Readers that pass the check that the operator publishes for this agent. */
                verified: components["schemas"]["Readers"];
                /** @description Readers that claim to be this agent and fail the check. They count as `other`. */
                failed: components["schemas"]["Readers"];
                /** @description Readers that Docent cannot check. The operator publishes no check, or the event has no address. */
                unknown: components["schemas"]["Readers"];
            }[];
            classes: {
                class: components["schemas"]["VisitorClass"];
                visitors: number;
                views: number;
            }[];
            version: components["schemas"]["DataVersion"];
        };
        Readers: {
            visitors: number;
            views: number;
        };
        LiveVisitors: {
            /**
             * Format: date-time
             * @description The end of the five minutes.
             */
            asOf: string;
            /** @description An event can be missing for this time after it was received. */
            delaySeconds: number;
            visitors: components["schemas"]["Counts"];
            views: components["schemas"]["Counts"];
            /** @description The five minutes, oldest first. */
            minutes: {
                /** Format: date-time */
                start: string;
                visitors: components["schemas"]["Counts"];
                views: components["schemas"]["Counts"];
            }[];
            /** @description The ten pages with the most visitors. */
            pages: {
                /** @example /guides/start */
                path: string;
                visitors: components["schemas"]["Counts"];
                views: components["schemas"]["Counts"];
            }[];
            /** @description The ten AI agents with the most views. */
            agents: {
                /** @example ChatGPT-User */
                agent: string;
                /** @example OpenAI */
                operator: string | null;
                class: components["schemas"]["VisitorClass"];
                visitors: number;
                views: number;
            }[];
            mapping: components["schemas"]["ClassMapping"];
        };
        Referrers: {
            referrers: {
                /** @example news.example.com */
                host: string | null;
                channel: components["schemas"]["Channel"];
                visitors: number;
                views: number;
            }[];
            hasMore: components["schemas"]["HasMore"];
            version: components["schemas"]["DataVersion"];
        };
        /**
         * @description The kind of site that a host is. `direct` means no site.
         * @enum {string}
         */
        Channel: "ai-assistant" | "search" | "social" | "code" | "other" | "direct";
        MissingPages: {
            notFound: {
                path: string;
                count: number;
                /** @description The host that sent most of them. */
                referrer: string | null;
                /** Format: date-time */
                lastSeen: string;
            }[];
            hasMore: components["schemas"]["HasMore"];
            version: components["schemas"]["DataVersion"];
        };
        /**
         * @description `human`; `assistant`: an AI assistant or agent that reads on a user's behalf; `search`, `training`:
         *     crawlers; `other`: other programs.
         * @enum {string}
         */
        VisitorClass: "human" | "assistant" | "search" | "training" | "other";
        EventBatch: {
            events: components["schemas"]["Event"][];
        };
        /**
         * @description A page view. It requires `path` or `url`, and `visitorId` or `ip` with `userAgent`. The IP address is
         *     used to derive the visitor ID and never stored.
         */
        Event: {
            /** @description Identifies the event. On one UTC day, each ID counts once, regardless of the other fields. */
            id?: string | null;
            /**
             * @description A date-time in RFC 3339, or milliseconds since 1970. From the year 2000 to one day in the future.
             *     Stored with millisecond precision.
             */
            timestamp: string | number;
            /**
             * @description Of the page, with or without its query. Decoded and without the query, it has at most 2,048 bytes of UTF-8 and no control
             *     characters.
             */
            path?: string | null;
            /** @description Instead of `path`. */
            url?: string | null;
            /** @description Your own ID for the reader. Only a keyed hash of it is stored. */
            visitorId?: string | null;
            /**
             * @description An IP address. Brackets and a port are removed. In a list such as `X-Forwarded-For`, the first
             *     address counts.
             */
            ip?: string | null;
            /** @description Cut after 1,024 characters. Empty or `-` if the client sent none. */
            userAgent?: string | null;
            /** @description If set, it is used as sent. Otherwise it is derived from the user agent. */
            class?: components["schemas"]["VisitorClass"] | null;
            /**
             * @description Whether the page was read as Markdown. If omitted: derived from the path.
             * @enum {string|null}
             */
            format?: "html" | "md" | "llms.txt" | "mcp" | null;
            /**
             * @description A URL. Only its host is kept. Without one, a `utm_source` of an AI assistant in `path` or `url` counts.
             *     Nothing else of a query is kept.
             */
            referrer?: string | null;
            /** @description The page does not exist: no page view, but a broken link. */
            notFound?: boolean | null;
            /**
             * @description The header `Signature` of the reader's request. With the next fields, it can
             *     [prove which agent it is](/analytics/agents#by-signature). It is not stored.
             */
            signature?: string | null;
            /** @description The header `Signature-Input`. */
            signatureInput?: string | null;
            /** @description The header `Signature-Agent`. */
            signatureAgent?: string | null;
            /** @description The host that was requested, with its port if it is not 443. If omitted: from `url`. */
            authority?: string | null;
        };
        Ingested: {
            /** @description Events that are on disk now. */
            accepted: number;
            /**
             * @description Duplicates that were detected immediately: in the request itself, and among the last 200,000
             *     events of this process. Others are detected later and still count once.
             */
            duplicates: number;
            /** @description The rejected events and the reasons. The first 1,000. */
            rejected: {
                /** @description The position of the event in the request, from 0. */
                index: number;
                error: string;
            }[];
            /** @description How many events were not taken. */
            rejectedCount: number;
        };
        /** @description The error, and the events that were accepted before it. */
        IngestError: components["schemas"]["Error"] & {
            /** @description Events that are on disk now. */
            accepted?: number;
            /** @description Repeats that were recognized at once. */
            duplicates?: number;
            rejected?: {
                /** @description The position of the event in the request, from 0. */
                index: number;
                error: string;
            }[];
            rejectedCount?: number;
            /**
             * @description The position in the request, from 0 and without empty lines, of the first event that was not
             *     accepted. With IDs or an `Idempotency-Key`, send the whole request again; otherwise send the
             *     events from this position.
             */
            next?: number;
        };
        Health: {
            /** @constant */
            status: "ok";
        };
        Readiness: {
            /** @constant */
            status: "ready";
            temporal: boolean;
            database: boolean;
            /** @description Whether the analytics folder exists and belongs to this server. */
            analyticsFolder: boolean;
            /**
             * @description Whether the bucket of page views is usable. Null without a bucket. If false, page views are
             *     accepted and wait on this server's disk.
             */
            bucket: boolean | null;
            /**
             * @description Damaged page view files that were set aside. Inspect them with `docent analytics verify`. Null if
             *     they could not be counted in time.
             */
            damagedFiles: number | null;
            /**
             * @description Page view files that are not counted: the database does not know them, and Docent could not add
             *     them. See `docent analytics verify`; `docent analytics recover` adds those of its project. Null if
             *     they could not be counted in time.
             */
            setAsideFiles: number | null;
        };
        /**
         * @description `degraded`: works, but needs attention. `down`: does not work. `unknown`: did not respond in time.
         * @enum {string}
         */
        HealthStatus: "ok" | "degraded" | "down" | "unknown";
        InstallationHealth: {
            /** @description `ok` if every component is, `down` if Temporal, the database or the disk is, else `degraded`. */
            status: components["schemas"]["HealthStatus"];
            /** Format: date-time */
            asOf: string;
            /** @description Of the server that answers. */
            version: string;
            temporal: components["schemas"]["TemporalHealth"];
            database: components["schemas"]["DatabaseHealth"];
            disk: components["schemas"]["DiskHealth"];
            model: components["schemas"]["ModelHealth"];
            hosts: components["schemas"]["HostsHealth"];
            processes: components["schemas"]["ProcessesHealth"];
            queue: components["schemas"]["QueueHealth"];
            analytics: components["schemas"]["AnalyticsHealth"];
            webhooks: components["schemas"]["WebhooksHealth"];
            retention: components["schemas"]["RetentionHealth"];
        };
        /** @description The retention periods, as in the workers' settings, and their state. */
        RetentionHealth: {
            status: components["schemas"]["HealthStatus"];
            /** @description A sentence. */
            message: string;
            /** @description The retention tasks that a worker has run. */
            rules: {
                /**
                 * @description What is deleted: `transcripts`, `job_events` (except the last one) and `jobs`, that many
                 *     days after the job was archived; entries of the `audit_log`; histories of finished
                 *     workflows, by `temporal` itself.
                 * @enum {string}
                 */
                rule: "transcripts" | "job_events" | "jobs" | "audit_log" | "temporal";
                /** @description Null: forever; for `temporal`, not known. */
                keepDays: number | null;
                /** @description Expired entries that still exist, among the oldest 10,000. Null if not known. */
                waiting: number | null;
                /**
                 * @description For `jobs`: expired jobs that are kept because they have an open pull request, among the
                 *     oldest 10,000.
                 */
                held: number | null;
                /** Format: date-time */
                lastRunAt: string;
                /** @description In the last run. */
                removed: number;
                removedInAll: number;
                /** @description Why it is not carried out, and what to do. */
                problem: string | null;
            }[];
        };
        TemporalHealth: {
            status: components["schemas"]["HealthStatus"];
            /** @description A sentence. */
            message: string;
            namespace: string | null;
            serverVersion: string | null;
            /** @description Workers that polled for tasks within the last minutes. */
            workers: {
                identity: string;
                /** Format: date-time */
                lastAccessAt: string | null;
            }[];
        };
        DatabaseHealth: {
            status: components["schemas"]["HealthStatus"];
            /** @description A sentence. */
            message: string;
            version: string | null;
            sizeBytes: number | null;
            /** @description Of all programs that use this database. */
            connections: number | null;
            maxConnections: number | null;
            /** @description The newest migration that was applied. */
            schemaLevel: number | null;
            /** @description The newest migration of the server that answers. */
            buildLevel: number;
            pendingMigrations: number | null;
        };
        DiskHealth: {
            status: components["schemas"]["HealthStatus"];
            /** @description A sentence. */
            message: string;
            /** @description Of the disk that the analytics folder is on. */
            freeBytes: number | null;
            totalBytes: number | null;
        };
        ModelHealth: {
            status: components["schemas"]["HealthStatus"];
            /** @description A sentence. */
            message: string;
            model: string | null;
            /** @enum {string|null} */
            from: "environment" | "setting" | "default" | null;
            /** @description The newest model test of the last 30 days. */
            lastTest: {
                model: string;
                /** Format: date-time */
                at: string;
                ok: boolean;
                /** @description Why it failed. */
                message: string | null;
            } | null;
            /** @description Turns that ended, of messages of the last 24 hours. */
            turnsLastDay: number | null;
            /** @description Of those, how many failed for the model’s sake. */
            failedTurnsLastDay: number | null;
        };
        HostsHealth: {
            status: components["schemas"]["HealthStatus"];
            /** @description A sentence. */
            message: string;
            hosts: {
                id: string;
                kind: string;
                /**
                 * Format: date-time
                 * @description Of the newest check within 30 days.
                 */
                checkedAt: string | null;
                ok: boolean | null;
                problems: string[];
            }[];
        };
        ProcessesHealth: {
            status: components["schemas"]["HealthStatus"];
            /** @description A sentence. */
            message: string;
            processes: {
                /** @example docent worker */
                name: string;
                version: string;
                host: string;
                pid: number;
                /** Format: date-time */
                startedAt: string;
                /** Format: date-time */
                seenAt: string;
                /** @description It has given a sign of life within 45 seconds. */
                alive: boolean;
            }[];
        };
        QueueHealth: {
            status: components["schemas"]["HealthStatus"];
            /** @description A sentence. */
            message: string;
            /** @description Jobs that are active. */
            active: number | null;
            /** @description Of those, how many wait for a place. */
            waiting: number | null;
            /** @description Turns that run. */
            working: number | null;
            /**
             * Format: date-time
             * @description When the oldest message came that waits.
             */
            oldestWaitingSince: string | null;
        };
        AnalyticsHealth: {
            status: components["schemas"]["HealthStatus"];
            /** @description A sentence. */
            message: string;
            /** @description Events that count and wait to be merged. */
            unmergedEvents: number | null;
            unmergedFiles: number | null;
            /** @description Of events that do not count yet: usually less than two seconds of them. */
            unsealedBytes: number | null;
            damagedFiles: number | null;
            setAsideFiles: number | null;
            /**
             * @description Events of files that the database did not know and that count again, for example after a failover
             *     to an outdated replica. Shown for 15 minutes.
             */
            recoveredEvents: number | null;
        };
        WebhooksHealth: {
            status: components["schemas"]["HealthStatus"];
            /** @description A sentence. */
            message: string;
            /** @description Webhooks whose last attempts have all failed. */
            failing: number | null;
            /** @description Webhooks that Docent has switched off. */
            off: number | null;
            /** @description Messages that are to be sent yet. */
            pending: number | null;
            /** Format: date-time */
            oldestPendingSince: string | null;
            /** @description Up to 20 webhooks that fail or were disabled. */
            webhooks: {
                id: string;
                projectId: string;
                host: string;
                /** Format: date-time */
                failingSince: string | null;
            }[];
        };
        /** @description The error, and the missing parts. */
        NotReady: components["schemas"]["Error"] & {
            temporal: boolean;
            database: boolean;
            analyticsFolder: boolean;
            /** @description Whether the bucket of page views can be used. Null without a bucket. */
            bucket: boolean | null;
            /**
             * @description Parts of `docent start` that failed repeatedly. They are retried every 30 seconds; the other
             *     parts keep running.
             */
            givenUpParts: {
                /** @description `postgres`, `temporal`, `worker` or `api`. */
                name: string;
                /** @description What happened the last time. */
                reason: string;
            }[];
        };
        Error: {
            /** @description A sentence with the problem and the solution. */
            error: string;
            code: components["schemas"]["ErrorCode"];
            /** @description The value of `X-Request-Id`. */
            requestId: string;
            /** @description The invalid field, query parameter or header, such as `settings.labels[2]`. Null for other problems. */
            param: string | null;
            /**
             * @description All problems of a request that does not match the contract, at most 20 fields; the first is also
             *     in `error`. For bodies with more than 1,000 values, only the first. Otherwise empty.
             */
            errors: components["schemas"]["FieldError"][];
            /**
             * @description The path of the page in this server's docs that explains the code, with its anchor.
             * @example /docs/reference/errors#bad_request
             */
            docs: string;
        };
        /** @description An error in RFC 9457 format, for requests whose `Accept` header names `application/problem+json`. */
        Problem: components["schemas"]["Error"] & {
            /**
             * Format: uri
             * @description The page in this server's docs that explains the code.
             */
            type: string;
            /** @description The code, as text. */
            title: string;
            /** @description The status of the answer. */
            status: number;
            /** @description The same as `error`. */
            detail: string;
        };
        FieldError: {
            /** @description The value of `param` in the error. Null for the body as a whole. */
            param: string | null;
            /** @description A sentence. */
            message: string;
            /**
             * @description The violated rule, named as in JSON Schema, such as `required`, `type`, `maxLength`, `pattern` or
             *     `enum`.
             */
            code: string;
        };
        /**
         * @description Stable. New codes may be added.
         * @enum {string}
         */
        ErrorCode: "bad_request" | "invalid_json" | "unauthorized" | "forbidden_scope" | "forbidden_address" | "forbidden_host" | "forbidden_origin" | "project_not_found" | "job_not_found" | "key_not_found" | "person_not_found" | "key_revoked" | "host_not_found" | "host_exists" | "host_in_use" | "model_in_environment" | "host_refused" | "pull_request_not_found" | "message_not_found" | "attachment_not_found" | "attachment_in_use" | "attachments_full" | "source_not_found" | "secret_not_found" | "source_exists" | "too_many_sources" | "webhook_not_found" | "delivery_not_found" | "too_many_webhooks" | "webhook_disabled" | "automation_not_found" | "automation_exists" | "too_many_automations" | "automation_disabled" | "run_not_found" | "feedback_not_found" | "annotation_not_found" | "too_many_annotations" | "share_link_not_found" | "too_many_share_links" | "password_required" | "not_found" | "method_not_allowed" | "request_timeout" | "project_exists" | "project_has_active_jobs" | "job_archived" | "job_not_archived" | "job_not_active" | "job_active" | "nothing_to_publish" | "nothing_to_retry" | "diff_incomplete" | "push_not_allowed" | "pull_request_not_open" | "pull_request_not_merged" | "merge_conflict" | "merge_refused" | "branch_checked_out" | "branch_taken" | "body_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "idempotency_in_progress" | "repository_refused" | "superseded" | "precondition_failed" | "rate_limited" | "version_gone" | "storage_full" | "unavailable" | "internal";
    };
    responses: {
        /** @description The message was received. Docent retries after any other status except 410. */
        MessageReceived: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The receiver wants no more messages. The webhook is disabled. */
        MessageUnwanted: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `If-None-Match` matches the current `ETag`. There is no body. */
        NotModified: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The job. */
        Job: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Job"];
            };
        };
        /** @description The changed job. */
        ChangedJob: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Job"];
            };
        };
        /** @description The project. */
        Project: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Project"];
            };
        };
        /** @description Redirects a browser to the pull request's page, which can be reloaded safely. */
        ToPullRequestPage: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                /** @description The page. */
                Location: string;
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The page. */
        PullRequestPage: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
            };
        };
        /** @description `bad_request`, `invalid_json`: the message names the field. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
                "text/html": string;
            };
        };
        /**
         * @description `bad_request`, `invalid_json`: the message names the field. `repository_refused`: the message explains
         *     it.
         */
        BadRepository: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `unauthorized`: the key is missing, malformed, unknown, revoked or expired. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
                "text/html": string;
            };
        };
        /**
         * @description `forbidden_scope`: the key or token lacks the route's scope, or the person lacks the role.
         *     `forbidden_address`: the key is not allowed from this address. `forbidden_host`: the request's `Host`
         *     is not a name of this server. `forbidden_origin`: the project does not accept requests from this
         *     origin, the token belongs to another origin, or a session cookie came from a page of another origin.
         */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
                "text/html": string;
            };
        };
        /** @description `project_not_found`: the project does not exist, or the key has no access to it. */
        ProjectNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `project_not_found`: no project can have this ID. */
        NoProjectId: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `project_not_found`, or `host_not_found` for the given `host`. */
        ProjectOrHostNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `project_not_found`, `job_not_found`. */
        JobNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `project_not_found`, `job_not_found`, `message_not_found`. */
        JobMessageNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `project_not_found`, `attachment_not_found`. */
        AttachmentNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `attachment_in_use`: a job's message uses it. `attachments_full`: the project's storage for
         *     attachments is full. `idempotency_in_progress`: the first request with this `Idempotency-Key` is still
         *     running.
         */
        AttachmentConflict: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `not_found`: the provider is unknown. */
        ProviderNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `host_not_found`. */
        HostNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `bad_request`, `invalid_json`: the message names the field. `host_refused`: the message explains it. */
        BadHost: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The default model. */
        InstallationModel: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InstallationModel"];
            };
        };
        /** @description `model_in_environment`. */
        ModelInEnvironment: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `host_exists`, `host_in_use`, or `idempotency_in_progress`. */
        HostConflict: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `person_not_found`. */
        PersonNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `not_found`: the ID is not valid for a session. */
        SignInNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `not_found`: no identity provider is configured. */
        NoProvider: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Redirects to the identity provider, the requested page, or the sign-in page. */
        ToSignIn: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                /** @description The URL of the redirect. */
                Location: string;
                "Set-Cookie": components["headers"]["SetCookie"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `key_not_found`. */
        KeyNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `key_revoked`; `idempotency_in_progress` if the route accepts an `Idempotency-Key`. */
        KeyRevoked: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `pull_request_not_found`. */
        PullRequestNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
                "text/html": string;
            };
        };
        /** @description `project_not_found`, `automation_not_found`. */
        AutomationNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `project_not_found`, `feedback_not_found`. */
        FeedbackNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `project_not_found`, `automation_not_found`, `run_not_found`. */
        RunNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `automation_exists`, `too_many_automations`, or `idempotency_in_progress`. */
        AutomationConflict: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `automation_exists`: another automation has this name. */
        AutomationExists: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `automation_disabled`: it is disabled, or has paused itself. `branch_taken`: other jobs use the branches of
         *     its next runs. `idempotency_in_progress`.
         */
        TriggerConflict: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `project_not_found`, `source_not_found`. */
        SourceNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `project_not_found`, `secret_not_found`. */
        SecretNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `source_exists`, `too_many_sources`, or `idempotency_in_progress`. */
        SourceConflict: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `project_not_found`, `webhook_not_found`. */
        WebhookNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `project_not_found`, `webhook_not_found`, `delivery_not_found`. */
        DeliveryNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `too_many_webhooks`, or `idempotency_in_progress`. */
        WebhookConflict: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `webhook_disabled`, or `idempotency_in_progress`. */
        WebhookDisabled: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The pull request. */
        PullRequest: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PullRequest"];
            };
        };
        /** @description `project_not_found`, `job_not_found`, or `pull_request_not_found` where the job has none (yet). */
        JobPullRequestNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `pull_request_not_open`, `merge_conflict`, `branch_checked_out`, `merge_refused` (rejected by the code
         *     host or repository).
         */
        JobPullRequestConflict: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `pull_request_not_open`, `merge_conflict`, `branch_checked_out`, `merge_refused` (rejected by the
         *     repository).
         */
        PullRequestConflict: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
                "text/html": string;
            };
        };
        /** @description `version_gone`: this version of the data is no longer available. Repeat the request without `version`. */
        VersionGone: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `storage_full`: the server's disk is full. The rest of the request was not stored. */
        StorageFull: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `job_archived`, `job_not_active`, `job_not_archived`: not possible in the job's status.
         *     `idempotency_in_progress`: the first request with this `Idempotency-Key` is still running.
         */
        JobConflict: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `job_active`, `job_archived`, `nothing_to_retry`: not possible in the job's status.
         *     `idempotency_in_progress`: the first request with this `Idempotency-Key` is still running.
         */
        NothingToRetry: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `job_active`, `job_archived`, `nothing_to_publish`: not possible in the job's status.
         *     `idempotency_in_progress`: the first request with this `Idempotency-Key` is still running.
         */
        NotReady: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `diff_incomplete`: the change is too large for one patch, or may contain a secret. The JSON response
         *     has the stored part.
         */
        DiffIncomplete: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `forbidden_scope`, `forbidden_address`, `forbidden_host`, or `push_not_allowed`: the project's
         *     `allowPush` is off.
         */
        NewJobForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `branch_taken`: another job of the project uses this `branch`. `idempotency_in_progress`. */
        NewJobConflict: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_in_progress`: the first request with this `Idempotency-Key` is still running. */
        IdempotencyInProgress: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `project_exists`, or `idempotency_in_progress`. */
        ProjectExists: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `superseded`: you started another check. */
        Superseded: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `project_has_active_jobs`. */
        ProjectBusy: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `precondition_failed`: `If-Match` does not match the current version. */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `request_timeout`: the body did not arrive within a minute. */
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
                "text/html": string;
            };
        };
        /** @description `body_too_large`: more than 1 MB. */
        BodyTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
                "text/html": string;
            };
        };
        /**
         * @description `unsupported_media_type`: an undocumented `Content-Type`, a charset other than UTF-8, or a content
         *     encoding.
         */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
                "text/html": string;
            };
        };
        /** @description `idempotency_key_reused`: the first request with this `Idempotency-Key` had another body. */
        IdempotencyKeyReused: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `rate_limited`: the hourly limit of the project is reached; for the page script, the limit per minute
         *     and address; for requested webhook messages, the project's limit per minute. Also: too many invalid
         *     keys or operator tokens from the address. Valid ones are still accepted.
         */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
                "text/html": string;
            };
        };
        /** @description `internal`: a server error. See the server's log for the request ID. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
                "text/html": string;
            };
        };
        /** @description `unavailable`: the database is unreachable, or, for a few routes, Temporal or all workers. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
                "text/html": string;
            };
        };
    };
    parameters: {
        /** @description The message ID, the same for every attempt. */
        MessageId: string;
        /** @description The start of the attempt, in seconds since 1970. */
        MessageTimestamp: string;
        /**
         * @description `v1,` and the base64 signature, one per secret, separated by spaces ([Standard
         *     Webhooks](https://www.standardwebhooks.com)). Absent for a job's webhook without a secret.
         */
        MessageSignature: string;
        /** @description The session ID from `GET /v1/me/sessions`. */
        SignInId: string;
        /** @description The code host's name. */
        HostId: string;
        /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
        ProjectId: components["schemas"]["ProjectId"];
        /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
        JobId: components["schemas"]["JobId"];
        /** @description The attachment ID. An unknown or invalid ID returns 404 `attachment_not_found`. */
        AttachmentId: components["schemas"]["AttachmentId"];
        /** @description The source's name, as in the list. */
        SourceName: components["schemas"]["SourceName"];
        /** @description The secret's name. */
        SecretName: components["schemas"]["SecretName"];
        /** @description The webhook ID, as in the list. */
        WebhookId: string;
        /** @description The automation ID, as in the list. */
        AutomationId: components["schemas"]["AutomationId"];
        /** @description The ID of the share link, as in the list. */
        ShareLinkId: string;
        /** @description The annotation ID, as in the list. */
        AnnotationId: string;
        /** @description The feedback ID, as in the list. */
        FeedbackId: string;
        /** @description The delivery ID, sent as `webhook-id` with the message. */
        DeliveryId: string;
        /** @description The unguessable ID in a job's link. */
        PullRequestId: string;
        /** @description The maximum number of entries in a response. */
        Limit: number;
        /** @description The `nextCursor` of the previous page, with the same filters. Other values return 400. */
        Cursor: string;
        /**
         * @description Count from this instant: a date (midnight UTC), or a date-time in RFC 3339 or ISO 8601 (UTC if without
         *     offset). If omitted or empty: from the beginning. Accepted forms: `2026-11-01`, `2026-11-01T08:30`,
         *     `2026-11-01T08:30:15.25`, each time with or without `Z` or an offset such as `+02:00` or `+02`, and
         *     the same without hyphens and colons (`20261101T0830`). `24:00` is the end of its day. Weeks
         *     (`2026-W45`), days of the year (`2026-305`) and partial dates (`2026-11`) return 400 `bad_request`.
         */
        DateFrom: string;
        /**
         * @description Count up to this instant, exclusive, in the formats of `dateFrom`. If omitted, all events count, including
         *     those whose clocks were up to a day ahead.
         */
        DateTo: string;
        /** @description The maximum number of rows in a response. */
        RowLimit: number;
        /** @description The number of rows to skip. */
        RowOffset: number;
        /**
         * @description `true`: every row in one response. Requires `Accept: text/csv`, without `limit` and `offset`. A caller
         *     can run 4 such requests at a time (429 `rate_limited`). Clients that read nothing for a minute are
         *     disconnected.
         */
        AllRows: boolean;
        /** @description Only views of this page, by its `path` as in responses. */
        OnlyPath: string;
        /** @description Only views of visitors from this site, by its `host` in `referrers`. */
        OnlyReferrer: string;
        /**
         * @description Only views of this agent, by its `agent` in `agents`. All of them count in `total`, even if the
         *     agent's class is not part of the totals.
         */
        OnlyAgent: string;
        /**
         * @description The `version` of an earlier response: repeats the count on the same data. Available for at least 15
         *     minutes, then 410 `version_gone`.
         */
        AnalyticsVersion: number;
        /**
         * @description The `ETag` of the version to change or delete, or several separated by commas. If the current `ETag`
         *     differs, nothing is changed (412 `precondition_failed`).
         */
        IfMatch: string;
        /**
         * @description 1 to 255 printable ASCII characters, new for each intended change, such as a UUID. Stored for 24
         *     hours, per project and route.
         */
        IdempotencyKey: string;
        /**
         * @description Makes it safe to send the same events again. 1 to 255 printable ASCII characters, new for each
         *     intended request, such as a UUID.
         */
        EventsKey: string;
    };
    requestBodies: {
        /** @description A job event. */
        JobMessage: {
            content: {
                "application/json": components["schemas"]["WebhookPayload"] & {
                    /** @enum {unknown} */
                    type?: "job.completed" | "job.failed" | "job.archived";
                    data?: {
                        job: components["schemas"]["Job"];
                    };
                };
            };
        };
        /** @description A pull request event. */
        PullRequestMessage: {
            content: {
                "application/json": components["schemas"]["WebhookPayload"] & {
                    /** @enum {unknown} */
                    type?: "pull_request.opened" | "pull_request.updated" | "pull_request.merged" | "pull_request.closed";
                    data?: {
                        pullRequest: components["schemas"]["PullRequest"];
                    };
                };
            };
        };
        /** @description A budget event. */
        BudgetMessage: {
            content: {
                "application/json": components["schemas"]["WebhookPayload"] & {
                    /** @enum {unknown} */
                    type?: "budget.reached";
                    data?: {
                        budget: Record<string, never>;
                        job: components["schemas"]["Job"];
                    };
                };
            };
        };
        /** @description A message about an automation. */
        AutomationMessage: {
            content: {
                "application/json": components["schemas"]["WebhookPayload"] & {
                    /** @enum {unknown} */
                    type?: "automation.paused";
                    data?: {
                        automation: Record<string, never>;
                    };
                };
            };
        };
        /** @description A report about readers. */
        ReportMessage: {
            content: {
                "application/json": components["schemas"]["WebhookPayload"] & {
                    /** @enum {unknown} */
                    type?: "analytics.report";
                    data?: {
                        report: Record<string, never>;
                    };
                };
            };
        };
        /** @description An alert about readers. */
        AlertMessage: {
            content: {
                "application/json": components["schemas"]["WebhookPayload"] & {
                    /** @enum {unknown} */
                    type?: "analytics.alert";
                    data?: {
                        alert: Record<string, never>;
                    };
                };
            };
        };
        /** @description A test message. */
        PingMessage: {
            content: {
                "application/json": components["schemas"]["WebhookPayload"] & {
                    /** @enum {unknown} */
                    type?: "ping";
                };
            };
        };
        Prompt: {
            content: {
                "application/json": components["schemas"]["Prompt"];
            };
        };
        NewJob: {
            content: {
                "application/json": components["schemas"]["NewJob"];
            };
        };
        Publish: {
            content: {
                "application/json": components["schemas"]["Publish"];
            };
        };
        Retry: {
            content: {
                "application/json": components["schemas"]["Retry"];
            };
        };
        AutomationTrigger: {
            content: {
                "application/json": components["schemas"]["AutomationTrigger"];
            };
        };
    };
    headers: {
        /** @description The session's secret, which scripts cannot read; empty to delete it. */
        SetCookie: string;
        /**
         * @description The ID of this request in the server's log. Your own `X-Request-Id` is used if it has 8 to 64 letters,
         *     digits and hyphens.
         */
        XRequestId: string;
        /** @description The `version` of the counted data. */
        XVersion: number;
        /** @description The number of rows in the whole listing. */
        XTotalCount: number;
        /** @description `true` if there are more rows, else `false`. */
        XHasMore: "true" | "false";
        /**
         * @description If there are more, the URL of the next page (RFC 8288, `rel="next"`), relative to this one. In
         *     analytics it includes the version of the data.
         */
        NextLink: string;
        /**
         * @description The limit that this request counts toward (`jobs` or `messages` of the project, `sign-ins` or `views`
         *     of the address): remaining requests (`r`) and seconds until more are available (`t`), as
         *     `"jobs";r=99;t=3600`. Sent together with `RateLimit-Policy` (`"jobs";q=100;w=3600`: the limit and its
         *     window in seconds), `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`.
         */
        RateLimit: string;
        /** @description Seconds to wait before you repeat the request. */
        RetryAfter: number;
        /** @description `true` if this is the stored first response and nothing was done. */
        IdempotentReplayed: "true";
        /** @description Always `Bearer`. */
        WwwAuthenticate: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createJob: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, new for each intended change, such as a UUID. Stored for 24
                 *     hours, per project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["NewJob"];
        responses: {
            /** @description The job was created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description The URL of the job. */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NewJobForbidden"];
            404: components["responses"]["ProjectNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["NewJobConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Job"];
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateJob: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version to change or delete, or several separated by commas. If the current `ETag`
                 *     differs, nothing is changed (412 `precondition_failed`).
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobChange"];
            };
        };
        responses: {
            200: components["responses"]["Job"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobNotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendMessage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, new for each intended change, such as a UUID. Stored for 24
                 *     hours, per project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["Prompt"];
        responses: {
            200: components["responses"]["ChangedJob"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["JobConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    retryJob: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, new for each intended change, such as a UUID. Stored for 24
                 *     hours, per project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Retry"];
        responses: {
            200: components["responses"]["ChangedJob"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["NothingToRetry"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @description The maximum number of entries in a response. */
                limit?: components["parameters"]["Limit"];
                /** @description The `nextCursor` of the previous page, with the same filters. Other values return 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only jobs with one of these statuses. Repeat the parameter or separate values with commas. */
                status?: components["schemas"]["JobStatus"][] | components["schemas"]["JobStatus"];
                /**
                 * @description Only jobs in one of these states. Repeat the parameter or separate values with commas.
                 *     `state=open,ready,refused,asked` selects jobs that need attention. Archived jobs are included
                 *     unless `status` excludes them.
                 */
                state?: components["schemas"]["JobState"][];
                /**
                 * @description Only jobs whose last turn had one of these outcomes. Repeat the parameter or separate values with
                 *     commas.
                 */
                outcome?: ("changed" | "answered" | "unchanged" | "refused" | "asked" | "discarded" | "failed")[];
                /**
                 * @description Only jobs with this text in the title, first prompt or summary. Case-insensitive, without
                 *     wildcards.
                 */
                q?: string;
                /** @description Only jobs created at this instant or later, in the formats of `dateFrom` in analytics. */
                createdFrom?: string;
                /** @description Only jobs created before this instant. */
                createdTo?: string;
                /** @description `true`: only jobs with a pull request. `false`: only jobs without one. Active jobs are included. */
                hasPullRequest?: boolean;
                /** @description Only jobs with this model. */
                model?: components["schemas"]["ModelId"];
                /** @description Only jobs created by this automation, which may have been deleted. */
                automation?: components["schemas"]["AutomationId"];
                /**
                 * @description Only jobs created by the operator (`operator`), any automation (`automation`), one automation
                 *     (`automation:ID`), an API key or one of its tokens (`key:ID`), or a person (`person:ID`).
                 */
                createdBy?: string;
                /** @description Only jobs with all of these metadata: `metadata[ticket]=DOC-17`. */
                metadata?: {
                    [key: string]: string;
                };
            };
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of jobs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    Link: components["headers"]["NextLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, new for each intended change, such as a UUID. Stored for 24
                 *     hours, per project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ChangedJob"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobNotFound"];
            409: components["responses"]["JobConflict"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    archiveJob: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, new for each intended change, such as a UUID. Stored for 24
                 *     hours, per project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ChangedJob"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobNotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    unarchiveJob: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, new for each intended change, such as a UUID. Stored for 24
                 *     hours, per project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ChangedJob"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobNotFound"];
            409: components["responses"]["JobConflict"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listJobEvents: {
        parameters: {
            query?: {
                /** @description Only events with a higher number. */
                after?: number;
                /** @description The maximum number of events in a response. */
                limit?: number;
                /** @description Seconds to wait for a new event. 0 returns immediately. */
                waitSeconds?: number;
                /**
                 * @description The last `progress` that you received, or an empty value for none. With it, a changed progress
                 *     also ends the wait.
                 */
                progress?: string;
                /** @description Streams only: keep the stream open while the job is idle, until it is archived. */
                follow?: boolean;
            };
            header?: {
                /** @description Streams only: the last `id` that you received. Takes precedence over `after`. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description The events after `after`, oldest first. Empty if there are none yet. If the first number is higher
             *     than `after` + 1, the events between are no longer stored.
             */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobEvents"];
                    "text/event-stream": components["schemas"]["JobStreamEvent"];
                };
            };
            /** @description The stream was reopened and there is nothing more to send. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getJobDiff: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The diffs. Empty if nothing was changed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobDiff"];
                    "text/x-diff": string;
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobNotFound"];
            409: components["responses"]["DiffIncomplete"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getChangedPage: {
        parameters: {
            query: {
                /** @description The `path` in the diff. */
                path: string;
                /** @description `pending`: the unpublished changes. `pull_request`: the newest pull request. */
                of?: "pending" | "pull_request";
            };
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page, or that it was not stored. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    publishJob: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, new for each intended change, such as a UUID. Stored for 24
                 *     hours, per project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Publish"];
        responses: {
            200: components["responses"]["ChangedJob"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["NotReady"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    discardJobChanges: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, new for each intended change, such as a UUID. Stored for 24
                 *     hours, per project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ChangedJob"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobNotFound"];
            409: components["responses"]["NotReady"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listJobChecks: {
        parameters: {
            query?: {
                /** @description The maximum number of entries in a response. */
                limit?: components["parameters"]["Limit"];
                /** @description The `nextCursor` of the previous page, with the same filters. Other values return 400. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of rounds. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    Link: components["headers"]["NextLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobChecks"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listJobCitations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The citations, by page and line. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobCitations"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getJobReview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The reviews. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobReview"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listJobCalls: {
        parameters: {
            query: {
                /** @description The `turn` of the event. */
                turn: number;
                /** @description The `step` in the event's `data`. */
                step: number;
            };
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description The calls. Empty if the step has none, does not exist yet, or is no longer stored
             *     (`DOCENT_TRANSCRIPTS_KEEP_DAYS`).
             */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobCalls"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listJobMessages: {
        parameters: {
            query?: {
                /** @description The maximum number of entries in a response. */
                limit?: components["parameters"]["Limit"];
                /** @description The `nextCursor` of the previous page, with the same filters. Other values return 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description `asc`: oldest first. `desc`: newest first. */
                order?: "asc" | "desc";
            };
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of messages. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    Link: components["headers"]["NextLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobMessagePage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getJobMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
                /** @description The number of the message. An unknown or invalid number returns 404 `message_not_found`. */
                no: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobMessage"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobMessageNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAttachments: {
        parameters: {
            query?: {
                /** @description The maximum number of entries in a response. */
                limit?: components["parameters"]["Limit"];
                /** @description The `nextCursor` of the previous page, with the same filters. Other values return 400. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of attachments. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    Link: components["headers"]["NextLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttachmentPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    uploadAttachment: {
        parameters: {
            query: {
                /**
                 * @description The file name that the agent sees, without a folder. It must be valid as a file name in a
                 *     repository. For texts, the extension defines the type; for images it has no effect.
                 */
                filename: string;
            };
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, new for each intended change, such as a UUID. Stored for 24
                 *     hours, per project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description The file is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    /** @description The URL of the attachment. */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attachment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["AttachmentConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAttachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The attachment ID. An unknown or invalid ID returns 404 `attachment_not_found`. */
                attachmentId: components["parameters"]["AttachmentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The attachment. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attachment"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["AttachmentNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteAttachment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version to change or delete, or several separated by commas. If the current `ETag`
                 *     differs, nothing is changed (412 `precondition_failed`).
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The attachment ID. An unknown or invalid ID returns 404 `attachment_not_found`. */
                attachmentId: components["parameters"]["AttachmentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["AttachmentNotFound"];
            409: components["responses"]["AttachmentConflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAttachmentContent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The attachment ID. An unknown or invalid ID returns 404 `attachment_not_found`. */
                attachmentId: components["parameters"]["AttachmentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    /** @description `attachment`, with the name. */
                    "Content-Disposition": string;
                    /** @description The size in bytes. A shorter body was cut off. */
                    "Content-Length": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["AttachmentNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getJobUsage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage of the job so far. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobUsage"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getJobWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workflow of the job. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobWorkflow"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getProjectUsage: {
        parameters: {
            query?: {
                /**
                 * @description Count from this instant: a date (midnight UTC), or a date-time in RFC 3339 or ISO 8601 (UTC if without
                 *     offset). If omitted or empty: from the beginning. Accepted forms: `2026-11-01`, `2026-11-01T08:30`,
                 *     `2026-11-01T08:30:15.25`, each time with or without `Z` or an offset such as `+02:00` or `+02`, and
                 *     the same without hyphens and colons (`20261101T0830`). `24:00` is the end of its day. Weeks
                 *     (`2026-W45`), days of the year (`2026-305`) and partial dates (`2026-11`) return 400 `bad_request`.
                 */
                dateFrom?: components["parameters"]["DateFrom"];
                /**
                 * @description Count up to this instant, exclusive, in the formats of `dateFrom`. If omitted, all events count, including
                 *     those whose clocks were up to a day ahead.
                 */
                dateTo?: components["parameters"]["DateTo"];
            };
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The days with usage, and their sum. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectUsage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, new for each intended change, such as a UUID. Stored for 24
                 *     hours, per project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSession"];
            };
        };
        responses: {
            /** @description The job was created. Its events follow. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    /** @description The job's ID. */
                    "X-Session-Id": string;
                    /** @description The branch for the agent's commits, percent-encoded where a header requires it. */
                    "X-Branch-Name": string;
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description The number of jobs to skip. */
                skip?: number;
                /** @description The maximum number of jobs in a response. */
                take?: number;
            };
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The jobs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        allSessions: components["schemas"]["Session"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProjects: {
        parameters: {
            query?: {
                /** @description The maximum number of entries in a response. */
                limit?: components["parameters"]["Limit"];
                /** @description The `nextCursor` of the previous page, with the same filters. Other values return 400. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of projects. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    Link: components["headers"]["NextLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, new for each intended change, such as a UUID. Stored for 24
                 *     hours, per project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewProject"];
            };
        };
        responses: {
            /** @description The project was created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    /** @description The URL of the project. */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["BadRepository"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["HostNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ProjectExists"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkRepository: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RepositoryToCheck"];
            };
        };
        responses: {
            /** @description The results, also for a repository that is not readable. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepositoryCheck"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["HostNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Superseded"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Project"];
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteProject: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version to change or delete, or several separated by commas. If the current `ETag`
                 *     differs, nothing is changed (412 `precondition_failed`).
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The project was deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            409: components["responses"]["ProjectBusy"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateProject: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version to change or delete, or several separated by commas. If the current `ETag`
                 *     differs, nothing is changed (412 `precondition_failed`).
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectChange"];
            };
        };
        responses: {
            200: components["responses"]["Project"];
            400: components["responses"]["BadRepository"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectOrHostNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ProjectBusy"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getProjectInstructions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The files. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectInstructions"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRepository"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSources: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sources. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SourceList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSource: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, new for each intended change, such as a UUID. Stored for 24
                 *     hours, per project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSource"];
            };
        };
        responses: {
            /** @description The source was added. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Source"];
                };
            };
            400: components["responses"]["BadRepository"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectOrHostNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["SourceConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The source's name, as in the list. */
                sourceName: components["parameters"]["SourceName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["SourceNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The source's name, as in the list. */
                sourceName: components["parameters"]["SourceName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SourceChange"];
            };
        };
        responses: {
            /** @description The source. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Source"];
                };
            };
            400: components["responses"]["BadRepository"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["SourceNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getModel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["InstallationModel"];
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setModel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version to change or delete, or several separated by commas. If the current `ETag`
                 *     differs, nothing is changed (412 `precondition_failed`).
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Null resets to `builtin`. */
                    model: components["schemas"]["ModelId"] | null;
                };
            };
        };
        responses: {
            200: components["responses"]["InstallationModel"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ModelInEnvironment"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listModelKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stored keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: components["schemas"]["StoredModelKey"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteModelKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The provider. */
                provider: components["schemas"]["ProviderWithKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProviderNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setModelKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The provider. */
                provider: components["schemas"]["ProviderWithKey"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ModelKeyChange"];
            };
        };
        responses: {
            /** @description The stored key, without the key itself. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredModelKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProviderNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testModel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description If omitted: the default model. */
                    model?: components["schemas"]["ModelId"];
                };
            };
        };
        responses: {
            /** @description The result of the test. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestedModel"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listHosts: {
        parameters: {
            query?: {
                /** @description The maximum number of entries in a response. */
                limit?: number;
                /** @description The `nextCursor` of the previous page, with the same filters. Other values return 400. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of code hosts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    Link: components["headers"]["NextLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        hosts: components["schemas"]["Host"][];
                        nextCursor: components["schemas"]["NextCursor"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createHost: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, new for each intended change, such as a UUID. Stored for 24
                 *     hours, per project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewHost"];
            };
        };
        responses: {
            /** @description The code host was added. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedHost"];
                };
            };
            400: components["responses"]["BadHost"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["HostConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The code host's name. */
                hostId: components["parameters"]["HostId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The code host. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Host"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["HostNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteHost: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version to change or delete, or several separated by commas. If the current `ETag`
                 *     differs, nothing is changed (412 `precondition_failed`).
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The code host's name. */
                hostId: components["parameters"]["HostId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["HostNotFound"];
            409: components["responses"]["HostConflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateHost: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version to change or delete, or several separated by commas. If the current `ETag`
                 *     differs, nothing is changed (412 `precondition_failed`).
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The code host's name. */
                hostId: components["parameters"]["HostId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HostChange"];
            };
        };
        responses: {
            /** @description The code host. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedHost"];
                };
            };
            400: components["responses"]["BadHost"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["HostNotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkHost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The code host's name. */
                hostId: components["parameters"]["HostId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    repository?: components["schemas"]["Repository"];
                    ref?: components["schemas"]["BranchName"];
                };
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostCheck"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["HostNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    connectHost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The code host's name. */
                hostId: components["parameters"]["HostId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Replace the secret. Deliveries that are signed with the old one are refused from then on. */
                    newSecret?: boolean;
                };
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectedHost"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["HostNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    receiveHostDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The code host's name. */
                hostId: components["parameters"]["HostId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description The delivery is stored, or ignored. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostDeliveryReceipt"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["HostNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Caller"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSignIns: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The browsers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sessions: components["schemas"]["SignIn"][];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session ID from `GET /v1/me/sessions`. */
                signInId: components["parameters"]["SignInId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session ended. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["SignInNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startOpenIdSignIn: {
        parameters: {
            query?: {
                /** @description The path to redirect to afterwards. Paths outside this server are replaced by `/`. */
                next?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            303: components["responses"]["ToSignIn"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoProvider"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    finishOpenIdSignIn: {
        parameters: {
            query?: {
                state?: string;
                code?: string;
                error?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            303: components["responses"]["ToSignIn"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoProvider"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPeople: {
        parameters: {
            query?: {
                /** @description The maximum number of entries in a response. */
                limit?: components["parameters"]["Limit"];
                /** @description The `nextCursor` of the previous page, with the same filters. Other values return 400. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of people. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    Link: components["headers"]["NextLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The person's ID, as in the list. */
                personId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["PersonNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deletePerson: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version to change or delete, or several separated by commas. If the current `ETag`
                 *     differs, nothing is changed (412 `precondition_failed`).
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The person's ID, as in the list. */
                personId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person was deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["PersonNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updatePerson: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version to change or delete, or several separated by commas. If the current `ETag`
                 *     differs, nothing is changed (412 `precondition_failed`).
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The person's ID, as in the list. */
                personId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PersonChange"];
            };
        };
        responses: {
            /** @description The changed person. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["PersonNotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSignInLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link was created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInLink"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sign-in options. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInWays"];
                };
            };
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSignIn"];
            };
        };
        responses: {
            /** @description The caller. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Set-Cookie": components["headers"]["SetCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Caller"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Sign out in all browsers.
                     * @default false
                     */
                    everywhere?: boolean;
                };
            };
        };
        responses: {
            /** @description You are signed out. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Set-Cookie": components["headers"]["SetCookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, new for each intended change, such as a UUID. Stored for 24
                 *     hours, per project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewToken"];
            };
        };
        responses: {
            /** @description The token was created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedToken"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description Only keys for this project. */
                projectId?: components["schemas"]["ProjectId"];
                /** @description The maximum number of entries in a response. */
                limit?: components["parameters"]["Limit"];
                /** @description The `nextCursor` of the previous page, with the same filters. Other values return 400. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    Link: components["headers"]["NextLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, new for each intended change, such as a UUID. Stored for 24
                 *     hours, per project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewKey"];
            };
        };
        responses: {
            /** @description The key was created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @description Only entries of this project, which may have been deleted. */
                projectId?: components["schemas"]["ProjectId"];
                /**
                 * @description Only entries of this key (including its tokens), token or person, by ID; or `operator`,
                 *     `anonymous` or `maintenance`.
                 */
                actor?: string;
                /** @description Only this operation, such as `deleteProject`. */
                operation?: string;
                /** @description Only entries at this instant or later, in the formats of `dateFrom` in analytics. */
                from?: string;
                /** @description Only entries before this instant. */
                to?: string;
                /** @description The maximum number of entries in a response. */
                limit?: components["parameters"]["Limit"];
                /** @description The `nextCursor` of the previous page, with the same filters. Other values return 400. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    Link: components["headers"]["NextLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The key's ID, as in the list. */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["KeyNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version to change or delete, or several separated by commas. If the current `ETag`
                 *     differs, nothing is changed (412 `precondition_failed`).
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The key's ID, as in the list. */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revoked key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["KeyNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version to change or delete, or several separated by commas. If the current `ETag`
                 *     differs, nothing is changed (412 `precondition_failed`).
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The key's ID, as in the list. */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyChange"];
            };
        };
        responses: {
            /** @description The changed key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["KeyNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["KeyRevoked"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, new for each intended change, such as a UUID. Stored for 24
                 *     hours, per project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The key's ID, as in the list. */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["KeyRotation"];
            };
        };
        responses: {
            /** @description The key with its new secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["KeyNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["KeyRevoked"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPullRequest: {
        parameters: {
            query?: {
                /**
                 * @description `true` asks the code host first and waits for it. If the code host cannot be reached, the response
                 *     is 503 with the reason. Without `refresh`, the last known state is returned, and `problem`
                 *     explains why it may be outdated.
                 */
                refresh?: boolean;
            };
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PullRequest"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobPullRequestNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    mergeJobPullRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PullRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobPullRequestNotFound"];
            409: components["responses"]["JobPullRequestConflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    closeJobPullRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job ID. An unknown or invalid ID returns 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PullRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobPullRequestNotFound"];
            409: components["responses"]["JobPullRequestConflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSuggestions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The suggestions, broken links first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuggestionList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPullRequests: {
        parameters: {
            query?: {
                /** @description The maximum number of entries in a response. */
                limit?: components["parameters"]["Limit"];
                /** @description The `nextCursor` of the previous page, with the same filters. Other values return 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only pull requests in one of these states. Repeat the parameter or separate values with commas. */
                state?: ("open" | "merged" | "closed")[];
                /** @description Only pull requests opened at this instant or later, in the formats of `dateFrom` in analytics. */
                createdFrom?: string;
                /** @description Only pull requests opened before this instant. */
                createdTo?: string;
                /** @description Only pull requests merged at this instant or later. */
                mergedFrom?: string;
                /** @description Only pull requests merged before this instant. */
                mergedTo?: string;
            };
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of pull requests. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    Link: components["headers"]["NextLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PullRequestPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAutomations: {
        parameters: {
            query?: {
                /** @description The maximum number of entries in a response. */
                limit?: components["parameters"]["Limit"];
                /** @description The `nextCursor` of the previous page, with the same filters. Other values return 400. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of automations. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createAutomation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, new for each intended change, such as a UUID. Stored for 24
                 *     hours, per project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAutomation"];
            };
        };
        responses: {
            /** @description The automation was created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Automation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["AutomationConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    planAutomations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The difference. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationPlan"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    applyAutomations: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version to change or delete, or several separated by commas. If the current `ETag`
                 *     differs, nothing is changed (412 `precondition_failed`).
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The commit of the plan. */
                    commit: string;
                };
            };
        };
        responses: {
            /** @description What was changed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationPlan"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["AutomationConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAutomation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation ID, as in the list. */
                automationId: components["parameters"]["AutomationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The automation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Automation"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["AutomationNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteAutomation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version to change or delete, or several separated by commas. If the current `ETag`
                 *     differs, nothing is changed (412 `precondition_failed`).
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation ID, as in the list. */
                automationId: components["parameters"]["AutomationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["AutomationNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateAutomation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version to change or delete, or several separated by commas. If the current `ETag`
                 *     differs, nothing is changed (412 `precondition_failed`).
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation ID, as in the list. */
                automationId: components["parameters"]["AutomationId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AutomationChange"];
            };
        };
        responses: {
            /** @description The changed automation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Automation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["AutomationNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["AutomationExists"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    triggerAutomation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, new for each intended change, such as a UUID. Stored for 24
                 *     hours, per project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation ID, as in the list. */
                automationId: components["parameters"]["AutomationId"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["AutomationTrigger"];
        responses: {
            /** @description The job was created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description The URL of the job. */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NewJobForbidden"];
            404: components["responses"]["AutomationNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["TriggerConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAutomationRuns: {
        parameters: {
            query?: {
                /** @description Only runs in this status. */
                status?: components["schemas"]["AutomationRunStatus"];
                /** @description The maximum number of entries in a response. */
                limit?: components["parameters"]["Limit"];
                /** @description The `nextCursor` of the previous page, with the same filters. Other values return 400. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation ID, as in the list. */
                automationId: components["parameters"]["AutomationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of runs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationRunPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["AutomationNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAutomationRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation ID, as in the list. */
                automationId: components["parameters"]["AutomationId"];
                /** @description The run's ID, as in the list. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationRun"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RunNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createAutomationSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation ID, as in the list. */
                automationId: components["parameters"]["AutomationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["AutomationNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProjectSecrets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The names, in order. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NamedSecretList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteProjectSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The secret's name. */
                secretName: components["parameters"]["SecretName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["SecretNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setProjectSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The secret's name. */
                secretName: components["parameters"]["SecretName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewNamedSecret"];
            };
        };
        responses: {
            /** @description Stored. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NamedSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    receiveDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The automation ID, as in the list. */
                automationId: components["parameters"]["AutomationId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description The delivery is stored. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryReceipt"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["AutomationNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    triggerWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, new for each intended change, such as a UUID. Stored for 24
                 *     hours, per project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation's ID. It can be the ID of a Mintlify workflow. */
                workflowSchemaId: components["schemas"]["AutomationId"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["AutomationTrigger"];
        responses: {
            /** @description The job was created. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriggeredWorkflow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NewJobForbidden"];
            404: components["responses"]["AutomationNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["TriggerConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    triggerWorkflowByWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, new for each intended change, such as a UUID. Stored for 24
                 *     hours, per project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation's ID. It can be the ID of a Mintlify workflow. */
                workflowSchemaId: components["schemas"]["AutomationId"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["AutomationTrigger"];
        responses: {
            /** @description The job was created. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriggeredWorkflow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NewJobForbidden"];
            404: components["responses"]["AutomationNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["TriggerConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Return the webhook of this job instead. */
                jobId?: components["schemas"]["JobId"];
            };
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhooks. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, new for each intended change, such as a UUID. Stored for 24
                 *     hours, per project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description The webhook was created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["WebhookConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook ID, as in the list. */
                webhookId: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WebhookNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version to change or delete, or several separated by commas. If the current `ETag`
                 *     differs, nothing is changed (412 `precondition_failed`).
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook ID, as in the list. */
                webhookId: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WebhookNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version to change or delete, or several separated by commas. If the current `ETag`
                 *     differs, nothing is changed (412 `precondition_failed`).
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook ID, as in the list. */
                webhookId: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookChange"];
            };
        };
        responses: {
            /** @description The changed webhook. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WebhookNotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, new for each intended change, such as a UUID. Stored for 24
                 *     hours, per project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook ID, as in the list. */
                webhookId: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook with its new secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WebhookNotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook ID, as in the list. */
                webhookId: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result of the test. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDetails"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WebhookNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Only deliveries in this state. */
                state?: components["schemas"]["DeliveryState"];
                /** @description The maximum number of entries in a response. */
                limit?: components["parameters"]["Limit"];
                /** @description The `nextCursor` of the previous page, with the same filters. Other values return 400. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook ID, as in the list. */
                webhookId: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of deliveries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    Link: components["headers"]["NextLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WebhookNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook ID, as in the list. */
                webhookId: components["parameters"]["WebhookId"];
                /** @description The delivery ID, sent as `webhook-id` with the message. */
                deliveryId: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDetails"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["DeliveryNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, new for each intended change, such as a UUID. Stored for 24
                 *     hours, per project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook ID, as in the list. */
                webhookId: components["parameters"]["WebhookId"];
                /** @description The delivery ID, sent as `webhook-id` with the message. */
                deliveryId: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, pending. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["DeliveryNotFound"];
            409: components["responses"]["WebhookDisabled"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPullRequestEffect: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The unguessable ID in a job's link. */
                prId: components["parameters"]["PullRequestId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pages. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PullRequestEffect"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description `project_not_found`, or `pull_request_not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `pull_request_not_merged`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showPullRequest: {
        parameters: {
            query?: {
                /** @description The action that redirected the browser here. */
                done?: "merged" | "closed";
            };
            header?: never;
            path: {
                /** @description The unguessable ID in a job's link. */
                prId: components["parameters"]["PullRequestId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PullRequestPage"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["PullRequestNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    returnMergeForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The unguessable ID in a job's link. */
                prId: components["parameters"]["PullRequestId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            303: components["responses"]["ToPullRequestPage"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["PullRequestNotFound"];
            500: components["responses"]["InternalError"];
        };
    };
    mergePullRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The unguessable ID in a job's link. */
                prId: components["parameters"]["PullRequestId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PullRequestPage"];
            303: components["responses"]["ToPullRequestPage"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["PullRequestNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["PullRequestConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    returnCloseForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The unguessable ID in a job's link. */
                prId: components["parameters"]["PullRequestId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            303: components["responses"]["ToPullRequestPage"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["PullRequestNotFound"];
            500: components["responses"]["InternalError"];
        };
    };
    closePullRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The unguessable ID in a job's link. */
                prId: components["parameters"]["PullRequestId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PullRequestPage"];
            303: components["responses"]["ToPullRequestPage"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["PullRequestNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["PullRequestConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is alive. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalError"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Everything is reachable. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalError"];
            /**
             * @description Something is not reachable, a part of `docent start` has stopped, or this server is shutting down:
             *     `error` names it. Jobs are accepted without Temporal, without workers, and during shutdown, but
             *     not while the database is unreachable or its disk is full. Without the analytics folder, page
             *     views are neither accepted nor counted. With `DOCENT_ANALYTICS_ACK` set to `stored`, page views
             *     need the bucket.
             */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotReady"];
                };
            };
        };
    };
    getInstallationHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The components. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstallationHealth"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOpenApiJson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The OpenAPI 3.1 document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalError"];
        };
    };
    getOpenApiYaml: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The OpenAPI 3.1 document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/yaml": string;
                };
            };
            304: components["responses"]["NotModified"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalError"];
        };
    };
    getVisitors: {
        parameters: {
            query?: {
                /**
                 * @description Count from this instant: a date (midnight UTC), or a date-time in RFC 3339 or ISO 8601 (UTC if without
                 *     offset). If omitted or empty: from the beginning. Accepted forms: `2026-11-01`, `2026-11-01T08:30`,
                 *     `2026-11-01T08:30:15.25`, each time with or without `Z` or an offset such as `+02:00` or `+02`, and
                 *     the same without hyphens and colons (`20261101T0830`). `24:00` is the end of its day. Weeks
                 *     (`2026-W45`), days of the year (`2026-305`) and partial dates (`2026-11`) return 400 `bad_request`.
                 */
                dateFrom?: components["parameters"]["DateFrom"];
                /**
                 * @description Count up to this instant, exclusive, in the formats of `dateFrom`. If omitted, all events count, including
                 *     those whose clocks were up to a day ahead.
                 */
                dateTo?: components["parameters"]["DateTo"];
                /** @description The maximum number of rows in a response. */
                limit?: components["parameters"]["RowLimit"];
                /** @description The number of rows to skip. */
                offset?: components["parameters"]["RowOffset"];
                /** @description Only views of this page, by its `path` as in responses. */
                path?: components["parameters"]["OnlyPath"];
                /** @description Only views of visitors from this site, by its `host` in `referrers`. */
                referrer?: components["parameters"]["OnlyReferrer"];
                /**
                 * @description Only views of this agent, by its `agent` in `agents`. All of them count in `total`, even if the
                 *     agent's class is not part of the totals.
                 */
                agent?: components["parameters"]["OnlyAgent"];
                /**
                 * @description The `version` of an earlier response: repeats the count on the same data. Available for at least 15
                 *     minutes, then 410 `version_gone`.
                 */
                version?: components["parameters"]["AnalyticsVersion"];
                /**
                 * @description `true`: every row in one response. Requires `Accept: text/csv`, without `limit` and `offset`. A caller
                 *     can run 4 such requests at a time (429 `rate_limited`). Clients that read nothing for a minute are
                 *     disconnected.
                 */
                all?: components["parameters"]["AllRows"];
            };
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Version": components["headers"]["XVersion"];
                    "X-Total-Count": components["headers"]["XTotalCount"];
                    "X-Has-More": components["headers"]["XHasMore"];
                    Link: components["headers"]["NextLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Visitors"];
                    "text/csv": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            410: components["responses"]["VersionGone"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getViews: {
        parameters: {
            query?: {
                /**
                 * @description Count from this instant: a date (midnight UTC), or a date-time in RFC 3339 or ISO 8601 (UTC if without
                 *     offset). If omitted or empty: from the beginning. Accepted forms: `2026-11-01`, `2026-11-01T08:30`,
                 *     `2026-11-01T08:30:15.25`, each time with or without `Z` or an offset such as `+02:00` or `+02`, and
                 *     the same without hyphens and colons (`20261101T0830`). `24:00` is the end of its day. Weeks
                 *     (`2026-W45`), days of the year (`2026-305`) and partial dates (`2026-11`) return 400 `bad_request`.
                 */
                dateFrom?: components["parameters"]["DateFrom"];
                /**
                 * @description Count up to this instant, exclusive, in the formats of `dateFrom`. If omitted, all events count, including
                 *     those whose clocks were up to a day ahead.
                 */
                dateTo?: components["parameters"]["DateTo"];
                /** @description The maximum number of rows in a response. */
                limit?: components["parameters"]["RowLimit"];
                /** @description The number of rows to skip. */
                offset?: components["parameters"]["RowOffset"];
                /** @description Only views of this page, by its `path` as in responses. */
                path?: components["parameters"]["OnlyPath"];
                /** @description Only views of visitors from this site, by its `host` in `referrers`. */
                referrer?: components["parameters"]["OnlyReferrer"];
                /**
                 * @description Only views of this agent, by its `agent` in `agents`. All of them count in `total`, even if the
                 *     agent's class is not part of the totals.
                 */
                agent?: components["parameters"]["OnlyAgent"];
                /**
                 * @description The `version` of an earlier response: repeats the count on the same data. Available for at least 15
                 *     minutes, then 410 `version_gone`.
                 */
                version?: components["parameters"]["AnalyticsVersion"];
                /**
                 * @description `true`: every row in one response. Requires `Accept: text/csv`, without `limit` and `offset`. A caller
                 *     can run 4 such requests at a time (429 `rate_limited`). Clients that read nothing for a minute are
                 *     disconnected.
                 */
                all?: components["parameters"]["AllRows"];
            };
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Version": components["headers"]["XVersion"];
                    "X-Total-Count": components["headers"]["XTotalCount"];
                    "X-Has-More": components["headers"]["XHasMore"];
                    Link: components["headers"]["NextLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Views"];
                    "text/csv": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            410: components["responses"]["VersionGone"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTimeseries: {
        parameters: {
            query?: {
                /**
                 * @description Count from this instant: a date (midnight UTC), or a date-time in RFC 3339 or ISO 8601 (UTC if without
                 *     offset). If omitted or empty: from the beginning. Accepted forms: `2026-11-01`, `2026-11-01T08:30`,
                 *     `2026-11-01T08:30:15.25`, each time with or without `Z` or an offset such as `+02:00` or `+02`, and
                 *     the same without hyphens and colons (`20261101T0830`). `24:00` is the end of its day. Weeks
                 *     (`2026-W45`), days of the year (`2026-305`) and partial dates (`2026-11`) return 400 `bad_request`.
                 */
                dateFrom?: components["parameters"]["DateFrom"];
                /**
                 * @description Count up to this instant, exclusive, in the formats of `dateFrom`. If omitted, all events count, including
                 *     those whose clocks were up to a day ahead.
                 */
                dateTo?: components["parameters"]["DateTo"];
                /** @description Only views of this page, by its `path` as in responses. */
                path?: components["parameters"]["OnlyPath"];
                /** @description Only views of visitors from this site, by its `host` in `referrers`. */
                referrer?: components["parameters"]["OnlyReferrer"];
                /**
                 * @description Only views of this agent, by its `agent` in `agents`. All of them count in `total`, even if the
                 *     agent's class is not part of the totals.
                 */
                agent?: components["parameters"]["OnlyAgent"];
                /**
                 * @description The `version` of an earlier response: repeats the count on the same data. Available for at least 15
                 *     minutes, then 410 `version_gone`.
                 */
                version?: components["parameters"]["AnalyticsVersion"];
            };
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Version": components["headers"]["XVersion"];
                    "X-Total-Count": components["headers"]["XTotalCount"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeseries"];
                    "text/csv": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            410: components["responses"]["VersionGone"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAgents: {
        parameters: {
            query?: {
                /**
                 * @description Count from this instant: a date (midnight UTC), or a date-time in RFC 3339 or ISO 8601 (UTC if without
                 *     offset). If omitted or empty: from the beginning. Accepted forms: `2026-11-01`, `2026-11-01T08:30`,
                 *     `2026-11-01T08:30:15.25`, each time with or without `Z` or an offset such as `+02:00` or `+02`, and
                 *     the same without hyphens and colons (`20261101T0830`). `24:00` is the end of its day. Weeks
                 *     (`2026-W45`), days of the year (`2026-305`) and partial dates (`2026-11`) return 400 `bad_request`.
                 */
                dateFrom?: components["parameters"]["DateFrom"];
                /**
                 * @description Count up to this instant, exclusive, in the formats of `dateFrom`. If omitted, all events count, including
                 *     those whose clocks were up to a day ahead.
                 */
                dateTo?: components["parameters"]["DateTo"];
                /** @description Only views of this page, by its `path` as in responses. */
                path?: components["parameters"]["OnlyPath"];
                /** @description Only views of visitors from this site, by its `host` in `referrers`. */
                referrer?: components["parameters"]["OnlyReferrer"];
                /**
                 * @description Only views of this agent, by its `agent` in `agents`. All of them count in `total`, even if the
                 *     agent's class is not part of the totals.
                 */
                agent?: components["parameters"]["OnlyAgent"];
                /**
                 * @description The `version` of an earlier response: repeats the count on the same data. Available for at least 15
                 *     minutes, then 410 `version_gone`.
                 */
                version?: components["parameters"]["AnalyticsVersion"];
            };
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Version": components["headers"]["XVersion"];
                    "X-Total-Count": components["headers"]["XTotalCount"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agents"];
                    "text/csv": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            410: components["responses"]["VersionGone"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReferrers: {
        parameters: {
            query?: {
                /**
                 * @description Count from this instant: a date (midnight UTC), or a date-time in RFC 3339 or ISO 8601 (UTC if without
                 *     offset). If omitted or empty: from the beginning. Accepted forms: `2026-11-01`, `2026-11-01T08:30`,
                 *     `2026-11-01T08:30:15.25`, each time with or without `Z` or an offset such as `+02:00` or `+02`, and
                 *     the same without hyphens and colons (`20261101T0830`). `24:00` is the end of its day. Weeks
                 *     (`2026-W45`), days of the year (`2026-305`) and partial dates (`2026-11`) return 400 `bad_request`.
                 */
                dateFrom?: components["parameters"]["DateFrom"];
                /**
                 * @description Count up to this instant, exclusive, in the formats of `dateFrom`. If omitted, all events count, including
                 *     those whose clocks were up to a day ahead.
                 */
                dateTo?: components["parameters"]["DateTo"];
                /** @description The maximum number of rows in a response. */
                limit?: components["parameters"]["RowLimit"];
                /** @description The number of rows to skip. */
                offset?: components["parameters"]["RowOffset"];
                /** @description Only views of this page, by its `path` as in responses. */
                path?: components["parameters"]["OnlyPath"];
                /** @description Only views of visitors from this site, by its `host` in `referrers`. */
                referrer?: components["parameters"]["OnlyReferrer"];
                /**
                 * @description Only views of this agent, by its `agent` in `agents`. All of them count in `total`, even if the
                 *     agent's class is not part of the totals.
                 */
                agent?: components["parameters"]["OnlyAgent"];
                /**
                 * @description The `version` of an earlier response: repeats the count on the same data. Available for at least 15
                 *     minutes, then 410 `version_gone`.
                 */
                version?: components["parameters"]["AnalyticsVersion"];
                /**
                 * @description `true`: every row in one response. Requires `Accept: text/csv`, without `limit` and `offset`. A caller
                 *     can run 4 such requests at a time (429 `rate_limited`). Clients that read nothing for a minute are
                 *     disconnected.
                 */
                all?: components["parameters"]["AllRows"];
            };
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Version": components["headers"]["XVersion"];
                    "X-Total-Count": components["headers"]["XTotalCount"];
                    "X-Has-More": components["headers"]["XHasMore"];
                    Link: components["headers"]["NextLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Referrers"];
                    "text/csv": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            410: components["responses"]["VersionGone"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNotFound: {
        parameters: {
            query?: {
                /**
                 * @description Count from this instant: a date (midnight UTC), or a date-time in RFC 3339 or ISO 8601 (UTC if without
                 *     offset). If omitted or empty: from the beginning. Accepted forms: `2026-11-01`, `2026-11-01T08:30`,
                 *     `2026-11-01T08:30:15.25`, each time with or without `Z` or an offset such as `+02:00` or `+02`, and
                 *     the same without hyphens and colons (`20261101T0830`). `24:00` is the end of its day. Weeks
                 *     (`2026-W45`), days of the year (`2026-305`) and partial dates (`2026-11`) return 400 `bad_request`.
                 */
                dateFrom?: components["parameters"]["DateFrom"];
                /**
                 * @description Count up to this instant, exclusive, in the formats of `dateFrom`. If omitted, all events count, including
                 *     those whose clocks were up to a day ahead.
                 */
                dateTo?: components["parameters"]["DateTo"];
                /** @description The maximum number of rows in a response. */
                limit?: components["parameters"]["RowLimit"];
                /** @description The number of rows to skip. */
                offset?: components["parameters"]["RowOffset"];
                /**
                 * @description The `version` of an earlier response: repeats the count on the same data. Available for at least 15
                 *     minutes, then 410 `version_gone`.
                 */
                version?: components["parameters"]["AnalyticsVersion"];
                /**
                 * @description `true`: every row in one response. Requires `Accept: text/csv`, without `limit` and `offset`. A caller
                 *     can run 4 such requests at a time (429 `rate_limited`). Clients that read nothing for a minute are
                 *     disconnected.
                 */
                all?: components["parameters"]["AllRows"];
            };
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Version": components["headers"]["XVersion"];
                    "X-Total-Count": components["headers"]["XTotalCount"];
                    "X-Has-More": components["headers"]["XHasMore"];
                    Link: components["headers"]["NextLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingPages"];
                    "text/csv": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            410: components["responses"]["VersionGone"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLiveVisitors: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveVisitors"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postEvents: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to send the same events again. 1 to 255 printable ASCII characters, new for each
                 *     intended request, such as a UUID.
                 */
                "Idempotency-Key"?: components["parameters"]["EventsKey"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventBatch"];
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description The result for the events. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ingested"];
                };
            };
            /**
             * @description `bad_request`, `invalid_json`: the message explains it. The body was cut off or consists mostly of
             *     blank lines, or more events were rejected than accepted, and more than 1,000.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestError"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `unauthorized`: the key is missing, malformed, unknown, revoked or expired, possibly since the
             *     request started.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestError"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["Forbidden"];
            /** @description `project_not_found`: the project does not exist, or no longer does, or the key has no access to it. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestError"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout`: no data for 60 seconds. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestError"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `body_too_large`: more than 8 MB as JSON or 64 MB as NDJSON, uncompressed; or gzip with a ratio
             *     above 100 to 1.
             */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestError"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description `rate_limited`: more than 12,000 event requests per minute with this key, or too many invalid keys
             *     from this address.
             */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestError"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: a server error. See the server's log for the request ID. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestError"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `unavailable`: the database is unreachable, the write-ahead log is full, or the server is shutting
             *     down.
             */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestError"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_full`: the server's disk is full. */
            507: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestError"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getFeedback: {
        parameters: {
            query?: {
                /**
                 * @description Count from this instant: a date (midnight UTC), or a date-time in RFC 3339 or ISO 8601 (UTC if without
                 *     offset). If omitted or empty: from the beginning. Accepted forms: `2026-11-01`, `2026-11-01T08:30`,
                 *     `2026-11-01T08:30:15.25`, each time with or without `Z` or an offset such as `+02:00` or `+02`, and
                 *     the same without hyphens and colons (`20261101T0830`). `24:00` is the end of its day. Weeks
                 *     (`2026-W45`), days of the year (`2026-305`) and partial dates (`2026-11`) return 400 `bad_request`.
                 */
                dateFrom?: components["parameters"]["DateFrom"];
                /**
                 * @description Count up to this instant, exclusive, in the formats of `dateFrom`. If omitted, all events count, including
                 *     those whose clocks were up to a day ahead.
                 */
                dateTo?: components["parameters"]["DateTo"];
                /** @description The maximum number of rows in a response. */
                limit?: number;
                /** @description The `nextCursor` of the previous page, with the same filters. Other values return 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only feedback of this source. */
                source?: components["schemas"]["FeedbackSource"];
                /** @description Only feedback with these statuses, separated by commas. */
                status?: string;
            };
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of feedback. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    Link: components["headers"]["NextLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedbackList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateFeedback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The feedback ID, as in the list. */
                feedbackId: components["parameters"]["FeedbackId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeedbackChange"];
            };
        };
        responses: {
            /** @description The changed feedback. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Feedback"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["FeedbackNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listShareLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The links, without their addresses. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareLinkList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createShareLink: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, new for each intended change, such as a UUID. Stored for 24
                 *     hours, per project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewShareLink"];
            };
        };
        responses: {
            /** @description The link was created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedShareLink"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description `too_many_share_links`, or `idempotency_in_progress`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteShareLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The ID of the share link, as in the list. */
                shareLinkId: components["parameters"]["ShareLinkId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link was deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description `project_not_found`, `share_link_not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    openShareLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShareLinkSecret"];
            };
        };
        responses: {
            /** @description The token. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenedShareLink"];
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description `password_required`: it is missing or wrong. `forbidden_host`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `share_link_not_found`: the link is unknown, deleted or expired. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAnnotations: {
        parameters: {
            query?: {
                /**
                 * @description Count from this instant: a date (midnight UTC), or a date-time in RFC 3339 or ISO 8601 (UTC if without
                 *     offset). If omitted or empty: from the beginning. Accepted forms: `2026-11-01`, `2026-11-01T08:30`,
                 *     `2026-11-01T08:30:15.25`, each time with or without `Z` or an offset such as `+02:00` or `+02`, and
                 *     the same without hyphens and colons (`20261101T0830`). `24:00` is the end of its day. Weeks
                 *     (`2026-W45`), days of the year (`2026-305`) and partial dates (`2026-11`) return 400 `bad_request`.
                 */
                dateFrom?: components["parameters"]["DateFrom"];
                /**
                 * @description Count up to this instant, exclusive, in the formats of `dateFrom`. If omitted, all events count, including
                 *     those whose clocks were up to a day ahead.
                 */
                dateTo?: components["parameters"]["DateTo"];
                /** @description The maximum number of rows in a response. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The annotations. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnotationList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createAnnotation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, new for each intended change, such as a UUID. Stored for 24
                 *     hours, per project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAnnotation"];
            };
        };
        responses: {
            /** @description The annotation was added. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Annotation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description `too_many_annotations`, or `idempotency_in_progress`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteAnnotation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The annotation ID, as in the list. */
                annotationId: components["parameters"]["AnnotationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The annotation was deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description `project_not_found`, `annotation_not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFeedbackByPage: {
        parameters: {
            query?: {
                /**
                 * @description Count from this instant: a date (midnight UTC), or a date-time in RFC 3339 or ISO 8601 (UTC if without
                 *     offset). If omitted or empty: from the beginning. Accepted forms: `2026-11-01`, `2026-11-01T08:30`,
                 *     `2026-11-01T08:30:15.25`, each time with or without `Z` or an offset such as `+02:00` or `+02`, and
                 *     the same without hyphens and colons (`20261101T0830`). `24:00` is the end of its day. Weeks
                 *     (`2026-W45`), days of the year (`2026-305`) and partial dates (`2026-11`) return 400 `bad_request`.
                 */
                dateFrom?: components["parameters"]["DateFrom"];
                /**
                 * @description Count up to this instant, exclusive, in the formats of `dateFrom`. If omitted, all events count, including
                 *     those whose clocks were up to a day ahead.
                 */
                dateTo?: components["parameters"]["DateTo"];
                /** @description The maximum number of rows in a response. */
                limit?: number;
                /** @description Only feedback of this source. */
                source?: components["schemas"]["FeedbackSource"];
                /** @description Only feedback with these statuses, separated by commas. */
                status?: string;
            };
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of feedback. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedbackByPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSearches: {
        parameters: {
            query?: {
                /**
                 * @description Count from this instant: a date (midnight UTC), or a date-time in RFC 3339 or ISO 8601 (UTC if without
                 *     offset). If omitted or empty: from the beginning. Accepted forms: `2026-11-01`, `2026-11-01T08:30`,
                 *     `2026-11-01T08:30:15.25`, each time with or without `Z` or an offset such as `+02:00` or `+02`, and
                 *     the same without hyphens and colons (`20261101T0830`). `24:00` is the end of its day. Weeks
                 *     (`2026-W45`), days of the year (`2026-305`) and partial dates (`2026-11`) return 400 `bad_request`.
                 */
                dateFrom?: components["parameters"]["DateFrom"];
                /**
                 * @description Count up to this instant, exclusive, in the formats of `dateFrom`. If omitted, all events count, including
                 *     those whose clocks were up to a day ahead.
                 */
                dateTo?: components["parameters"]["DateTo"];
                /** @description The maximum number of rows in a response. */
                limit?: number;
                /** @description The `nextCursor` of the previous page, with the same filters. Other values return 400. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of feedback. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    Link: components["headers"]["NextLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPageScript: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The script. Browsers and caches can store it for an hour. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    /** @description The cache lifetime. */
                    "Cache-Control": string;
                    /** @description Any site can include it. */
                    "Cross-Origin-Resource-Policy": string;
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
            304: components["responses"]["NotModified"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoProjectId"];
            500: components["responses"]["InternalError"];
        };
    };
    collectView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/plain": string;
            };
        };
        responses: {
            /** @description The view is on disk. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    /** @description The origin of the page. */
                    "Access-Control-Allow-Origin": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Collected"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoProjectId"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    collectFeedback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/plain": string;
                "application/json": components["schemas"]["AgentFeedback"];
            };
        };
        responses: {
            /** @description Stored. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    /** @description The origin of the page, or `*` for agents. */
                    "Access-Control-Allow-Origin": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Collected"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoProjectId"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    collectSearch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project ID. An unknown or invalid ID returns 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/plain": string;
            };
        };
        responses: {
            /** @description Stored. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    /** @description The origin of the page. */
                    "Access-Control-Allow-Origin": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Collected"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoProjectId"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
type WithRequired<T, K extends keyof T> = T & {
    [P in K]-?: T[P];
};
