// Generated from openapi.yaml by `npm run generate`. Do not edit.

export interface paths {
    "/v2/agent/{projectId}/job": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an agent job
         * @description Accepts a prompt as a new job, which runs in the background. Once this answers, the job is carried out even if every
         *     process dies the next moment. Follow it with `GET /v2/agent/{projectId}/job/{id}` until its status is no longer
         *     `active`, or live with `GET …/events`.
         *
         *     `mode` says what becomes of the change. A mode that the project does not allow is 403 `push_not_allowed`.
         *
         *     Beside the prompt, all fields are optional. What is not said is as the project or the installation has it. What was said is in
         *     the job for good: a project that is changed later does not change it.
         *
         *     A project accepts 100 new jobs an hour (a setting); a replay by `Idempotency-Key` counts as none.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /**
         * Get a job
         * @description Poll it until `status` is `completed`, `archived` or `failed`.
         */
        get: operations["getJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a job's title, budget or metadata
         * @description Changes the fields that are given, in every state of the job, and nothing else: the job is not woken. A title is told to the
         *     next pull request; one that is open keeps its own, as people may have changed it. May be repeated.
         *
         *     With `If-Match` and the `ETag` that `GET` gave, nothing is changed where the job has changed meanwhile, by itself or by somebody (412
         *     `precondition_failed`).
         */
        patch: operations["updateJob"];
        trace?: never;
    };
    "/v2/agent/{projectId}/job/{id}/message": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a follow-up message to a job
         * @description Accepts a message and makes the job `active`. Messages are carried out in the order in which they were accepted; one
         *     sent while the agent works is read before its next step. One whose turn failed before the agent had answered to it is
         *     read with the next message, before it. An archived job takes none (409 `job_archived`).
         *
         *     A project accepts 100 messages an hour (a setting).
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have a job try again
         * @description For a job whose last turn failed or was refused (`outcome`): the same job goes on from where it got to. Messages that the model has not
         *     answered to are carried out, those that it has are sent once more, and a preview that could not be published is published. With another
         *     `model`, that one works on the job from now on.
         *
         *     A job that is `active` is 409 `job_active`, so that a second retry changes nothing; one that is archived `job_archived`, and one whose last
         *     turn did not fail and was not refused `nothing_to_retry`. What is sent once more counts as messages of the hour.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * List a project's jobs
         * @description Newest first, of those to which all filters apply. The list is stable while jobs are added: following
         *     `nextCursor` gives every job that was there at the beginning, and none twice.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel what the job is doing
         * @description Drops the messages that wait and ends the running turn within about 5 seconds; nothing half-done is published. The
         *     answer may still say `active`; the job then becomes `completed`, with a summary that says so. A job that is not active
         *     is 409 `job_not_active`. A body is ignored.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive a job
         * @description Works in every state and may be repeated. A running turn is cancelled: once this has answered, nothing is pushed for the
         *     job any more. Messages that wait and those of the running turn are dropped. Jobs without a message for 30 days (a setting)
         *     are archived by themselves. A body is ignored.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a job back from the archive
         * @description The job gets its last state back, and takes messages again. A job that is not archived is 409 `job_not_archived`. A body
         *     is ignored.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /**
         * Follow a job's progress
         * @description What happened to the job, in order, in sentences for people. Ask again with `after` set to the last number that you have;
         *     with `waitSeconds` the answer is held back until there is something new, the job is no longer active, or the time is up.
         *
         *     **Live.** With `Accept: text/event-stream` the answer is a stream of server-sent events (WHATWG HTML): all events after
         *     `after`, then each as it happens, and, while the model writes, its words within about half a second. Each event has its
         *     `type` as `event:` and itself as one line of JSON as `data:`. Events of the job have their number as `id:`; `words`,
         *     `progress` and `end` have none, because they are not kept. A comment comes every 15 seconds while nothing happens.
         *
         *     **What is kept.** Where the operator has set `DOCENT_JOB_EVENTS_KEEP_DAYS`, the events of a job go that long after it was archived, but
         *     for the last one: an answer, or a stream opened with an old `Last-Event-ID`, then begins with that one.
         *
         *     The stream ends with the event `end` when the job is at rest, or with `follow=true` when it is archived. A stream that ends
         *     without it broke off (a server stopped, say): open it again with `Last-Event-ID`, at any server, and nothing is missing and
         *     nothing comes twice. Browsers do so by themselves; where there is nothing more to tell, that is answered with 204,
         *     at which they stop. `limit`, `waitSeconds` and `progress` mean nothing here.
         *
         *     A caller may have 100 streams open at a server (429 `rate_limited`), and a server has 1,000 (503 `unavailable`). A reader that takes
         *     nothing for 60 seconds is let go. When a key is revoked, its streams end within seconds.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /**
         * See what a job changed
         * @description What the job has published, turn by turn, and its newest pull request as a whole; and in `pending` what it has changed and
         *     not published: what a running turn has done so far, which may lag by a step, or what a preview has ready. Each diff has its
         *     files with how many lines changed. What was published is cut at 1 MB, what was not at 4 MB, at the boundary of a file, with a
         *     line that says so.
         *
         *     With `Accept: text/x-diff` the answer is one patch that `git apply` takes: what is not published, on top of the commit
         *     `pending.baseCommit`; where there is nothing of that kind, the newest pull request, on top of the commit where its branch left the base
         *     branch; empty where there is neither. A patch that would be cut, or withheld because it has what
         *     looks like a secret, is 409 `diff_incomplete`.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /**
         * Read a changed page as it was and as it is
         * @description A Markdown or MDX page of `GET …/diff`, whole, before and after the change: to show it as readers will see it. The pages of what is
         *     not published are kept as of the last step that changed something, those of the newest pull request as of the last push: at most 200
         *     pages, of 256 K characters each and 1 M in all; others are not `kept`. Nothing is kept of what looks like a secret.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish what a preview has ready
         * @description Pushes the change that a job of the mode `preview` has ready (`pendingChanges`), and opens or updates its pull request. The job
         *     is `active` until that is done; no model is asked. Messages that come meanwhile are carried out afterwards.
         *
         *     Where the base branch has moved, the change is laid over it. Files that others have changed too are not overwritten: the job
         *     is then `failed` with `conflict_unresolved`, and what was ready stays so; a message has the agent make the change on what is
         *     there now. Whatever else fails leaves it ready as well, to be published again.
         *
         *     A job that is `active` is 409 `job_active`, one that is archived `job_archived`, and one that has nothing ready
         *     `nothing_to_publish`.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Drop what a preview has ready
         * @description Forgets the change that a job of the mode `preview` has ready. Nothing of it is published; what was published before stays. The
         *     job is `completed`, and a later message begins with what is published. Refused as `POST …/publish` is. A body is ignored.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /**
         * See what the docs checks found
         * @description Each round of the docs checks, oldest first: what the change brings that the docs did not have before, what a reviewer should
         *     look at, and what looks like a secret. A turn has a round when the agent is done, and one more each time that it was told and
         *     looked again. Turns that changed nothing have none. Also while the job is active.
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
    "/v2/agent/{projectId}/job/{id}/review": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /**
         * Get what a reviewer has to know
         * @description What the docs checks still find in a job's change, what to look at closely, and why to ask before it is published or merged. `GET …/checks`
         *     has the rounds that this is made of.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /**
         * Read the tool calls of a step
         * @description What the agent gave to each tool that it called in one step of a turn, and what it was answered: in the order of `calls` of the
         *     step's event, at most 100. Texts are cut; what looks like a secret is `[secret]`. Unlike the events, this quotes files of the
         *     repository.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /**
         * Read a job's conversation
         * @description Every message that the job was sent, its prompt first, and what each of its turns answered, in order. `no` counts them; a message
         *     keeps its number, and new ones come behind. What looks like a secret is shown as `[secret]`, as in summaries.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
                /** @description The message's number. One that the job does not have, or that is no number at all, is 404 `message_not_found`. */
                no: string;
            };
            cookie?: never;
        };
        /** Read one message of a job's conversation */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
         * @description The body is the file, as it is: `curl --data-binary @screenshot.png`. Its type is told by its content, whatever `Content-Type`
         *     says: a PNG, JPEG, GIF or WebP image of at most 10 MB and 8,000 pixels a side, or a text in UTF-8 of at most 1 MB (Markdown, CSV,
         *     JSON, YAML, code, SVG …). Anything else is 415.
         *
         *     Name it in `attachments` when you create a job or send a message. One that no message has is removed after 24 hours; one
         *     that a message has stays as long as its job.
         *
         *     A project uploads 100 files an hour, and has 1,000 MB of them in all (settings). A replay by `Idempotency-Key` counts as none.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The attachment's id. One that the project does not have, or that is no id at all, is 404 `attachment_not_found`. */
                attachmentId: components["parameters"]["AttachmentId"];
            };
            cookie?: never;
        };
        /** Get what is known of an attachment */
        get: operations["getAttachment"];
        put?: never;
        post?: never;
        /**
         * Remove an attachment
         * @description One that a job's message has stays with the job (409 `attachment_in_use`).
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The attachment's id. One that the project does not have, or that is no id at all, is 404 `attachment_not_found`. */
                attachmentId: components["parameters"]["AttachmentId"];
            };
            cookie?: never;
        };
        /**
         * Get an attachment's content
         * @description The bytes as they were uploaded, to be saved under the attachment's name. Whatever the file is, it comes as
         *     `application/octet-stream`: no browser shows it or runs what is in it.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /**
         * See what a job took
         * @description Tokens and cost of each step and turn.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /**
         * Find a job's workflow in Temporal
         * @description For operators. Temporal is not asked: where the job rests, its newest run has ended, and Temporal forgets that after its retention.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * See what a project's jobs took
         * @description Tokens and cost by day, of all jobs of the project. What jobs took that are no longer kept counts on, by the hour: of an hour that
         *     `dateFrom` or `dateTo` cuts, it counts whole where the hour begins within.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an agent job (version 1)
         * @deprecated
         * @description For clients written for version 1. Use `POST /v2/agent/{projectId}/job`, which takes and answers the same job.
         *
         *     The messages become the job's prompt: those of `user` in their order, those of `assistant` as examples, those of `system` at the end.
         *     The model is the project's; `model` is read and changes nothing. The answer tells the job as it happens, in server-sent events that
         *     are parts of the AI SDK's UI message stream, and ends with its turn. Who leaves does not stop the job: get it by `X-Session-Id`.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
         * @description By id.
         */
        get: operations["listProjects"];
        put?: never;
        /**
         * Create a project
         * @description Checks that the repository can be read and has the base branch, then stores the project. What is wrong with a repository
         *     is said in a sentence (400 `repository_refused`). A repository is the absolute path of a git repository on the server's
         *     machine, or its URL on a code host that was added before.
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
         * Look at a repository before it is a project's
         * @description Creates nothing. Says whether Docent can work with the repository, which branch is its default, what makes a site of its docs, how
         *     many pages there are, what the docs checks see in them, and what the agent would be told of its own instructions. A worker reads
         *     the repository for the answer, which comes within 22 seconds: what could not be told by then is null, and `notes` say so.
         *
         *     A caller has one look at a time: a new one ends the one before, which is answered 409 `superseded`.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * Get a project
         * @description Keys get their own projects. Tokens for browsers (`POST /v1/tokens`) get none.
         */
        get: operations["getProject"];
        put?: never;
        post?: never;
        /**
         * Delete a project
         * @description Deletes the project with its jobs and their pull request pages. The repository and its branches stay as they are. Keys
         *     that opened only this project are revoked; others lose it. Refused while jobs of the project are active (409
         *     `project_has_active_jobs`): cancel or archive them first.
         */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        /**
         * Change a project
         * @description Changes the given fields and leaves the others. A new repository or base branch is checked first, and is refused while
         *     jobs of the project are active (409 `project_has_active_jobs`). A new model is used by jobs created from now on.
         *
         *     With `If-Match` and the `ETag` that `GET` gave, nothing is changed that somebody else has changed meanwhile (412
         *     `precondition_failed`).
         */
        patch: operations["updateProject"];
        trace?: never;
    };
    "/v1/projects/{projectId}/instructions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * List what the agent is told of the repository's own instructions
         * @description Each file that asks something of agents or says how the team writes, whether and why the agent is told it, and how much of
         *     it: as it is on the base branch now. A worker reads the repository for the answer.
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
    "/v1/model": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the installation's model
         * @description The model of projects that name none, and where it comes from.
         */
        get: operations["getModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set the installation's model
         * @description New jobs of all projects that name none use it from now on; nothing has to be restarted. A worker looks first whether it can be
         *     used. Refused where the server's environment names one in `DOCENT_MODEL` (409 `model_in_environment`).
         *
         *     With `If-Match` and the `ETag` that `GET` gave, nothing is changed that has changed meanwhile (412 `precondition_failed`).
         */
        patch: operations["setModel"];
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
         * Ask a model one small question
         * @description A worker sends the model one question of some dozen tokens and has it call a tool, as every step of a job does. What is wrong is
         *     part of the answer. Nothing is counted as spent by a project.
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
         * @description By name. Repositories on the server's own machine need none.
         */
        get: operations["listHosts"];
        put?: never;
        /**
         * Add a code host
         * @description Checks the credential at the code host first; what is wrong with it is said in a sentence (400 `host_refused`), and nothing is
         *     kept. The credential is stored encrypted and never shown again.
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
         * @description As the list shows it, without its credential.
         */
        get: operations["getHost"];
        put?: never;
        post?: never;
        /**
         * Remove a code host
         * @description Forgets the credential. Refused while projects are on it.
         */
        delete: operations["deleteHost"];
        options?: never;
        head?: never;
        /**
         * Replace a code host's credential
         * @description The new credential is checked first; if it is refused, the old one stays. Running jobs use the new one from their next
         *     step on.
         *
         *     With `If-Match` and the `ETag` that `GET` gave, nothing is changed that has changed meanwhile (412 `precondition_failed`).
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
         * @description Says what the credential lacks: in general, and for one repository if the body names it. Changes nothing at the code host.
         */
        post: operations["checkHost"];
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
         * Who am I?
         * @description What the key or token of this request is, or who is signed in, what that opens, the limits that hold for it, and the version of the
         *     server. Takes every valid key, token and session, whatever its scopes or role.
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
         * Where am I signed in?
         * @description The browsers in which you are signed in, the one used last first, 100 at most. Whoever has the operator token sees the browsers that
         *     were signed in with it.
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
                /** @description The session's id, as `GET /v1/me/sessions` lists it. */
                signInId: components["parameters"]["SignInId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Sign a browser out
         * @description Ends one of your own sessions, within a second at every server. Ending one that is over changes nothing.
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
         * @description Sends a browser to the identity provider of the settings (OpenID Connect, code flow with PKCE), which sends it back to
         *     `/sign-in/openid/callback`. What goes wrong is in the address that the browser comes to, `/sign-in?error=…`: `openid_off`,
         *     `openid_unavailable`, `openid_expired`, `openid_denied`, `openid_invalid`, `email_not_verified`, `no_role`, `person_disabled`. Who
         *     asks for JSON gets an error instead.
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
         * Come back from the identity provider
         * @description For browsers alone: checks what the provider says, signs the browser in, and sends it on. The person's role is read again each time, unless
         *     it was set by hand. Answers as `/sign-in/openid` where nobody is signed in.
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
         * @description Everybody who has signed in with the identity provider, newest first.
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
                /** @description The person's id, as the list shows it. */
                personId: string;
            };
            cookie?: never;
        };
        /** Get a person */
        get: operations["getPerson"];
        put?: never;
        post?: never;
        /**
         * Forget a person
         * @description Ends all of their sessions, within a second at every server, and forgets them. Who still has a role by the settings can sign in again,
         *     as a new person: to keep somebody out, disable them.
         */
        delete: operations["deletePerson"];
        options?: never;
        head?: never;
        /**
         * Change what a person may do
         * @description Changes what is given, for every server within a second. A role or projects that are set here stay, whatever the provider says later,
         *     until `roleFromProvider: true` lets it decide again, from the next sign-in on. `disabled: true` ends all of the person's sessions, and
         *     the links that they had made to sign in, and lets them in no more.
         *
         *     Nothing keeps the last admin from giving the role away: the operator token always opens everything.
         *
         *     With `If-Match` and the `ETag` that `GET` gave, nothing is changed that has changed meanwhile (412 `precondition_failed`), by a sign-in
         *     for instance.
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
         * Create a link that signs a browser in
         * @description For whoever has the operator token, or is an admin of all projects. The link signs one browser in, once, within 10 minutes, as
         *     whoever made it. What stands behind its `#` is a secret, which browsers send to no server by themselves.
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
         * How can one sign in?
         * @description What a page for signing in needs to know. Anybody may ask.
         */
        get: operations["getSignIn"];
        put?: never;
        /**
         * Sign a browser in
         * @description With the secret of a link, or with the operator token: one of them. The answer sets a cookie that scripts cannot read, with a new secret; a
         *     session that the browser had before ends. It ends after 30 days, or 7 days without a request (settings), by signing out, and when
         *     the operator token that it rests on is another one. Wrong ones are limited by address, as wrong keys are.
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
         * @description Ends the session of the cookie, and takes the cookie back; with `everywhere`, all of your sessions and the links that you
         *     had made to sign in, within a second at every server. Sent with the operator token, `everywhere` ends all that rest on it.
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
         * Create a token for a browser
         * @description Makes a short-lived token from the API key that asks, for a page or an app that must not hold the key itself. It opens one
         *     project, on request one job of it, with scopes that the key has. It is sent like a key. It ends after its time, and within a second when
         *     its key is revoked, expires or loses the project, or when the secret of the key that made it is no longer valid. Where the
         *     key is bound to addresses, so is the token.
         *
         *     The answer holds the token itself, this once: only a hash of it is stored. A replay by `Idempotency-Key` has `token: null`.
         *     600 tokens a minute may be made from one key (a setting). A token makes no tokens, nor does the operator token.
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
         * @description Newest first, revoked and expired ones too.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The answer holds the key itself, this once: only a hash of it is stored. A replay by `Idempotency-Key` has `key: null`;
         *     revoke such a key and create another if the first answer was lost.
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
         * List who changed what
         * @description One entry for each request that may have changed something, newest first: all but `GET`, page views and the words of readers. The
         *     entry is stored before the request is carried out, and says what came of it afterwards: `status: null` is one that is being carried
         *     out now, or of which it is not known, since the server died. Of what is refused, entries tell who was not let in (401) or not
         *     allowed to (403), 60 a minute of one caller and of all unknown ones together, in each process. Malformed requests have none.
         *
         *     No entry has a body, a prompt, a value or a secret. They are kept for 365 days (the setting `DOCENT_AUDIT_DAYS`).
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
                /** @description The key's id, as the list shows it. */
                keyId: string;
            };
            cookie?: never;
        };
        /**
         * Get an API key
         * @description Its record, with each of its secrets that is still remembered. The key itself is in no answer but the first.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description The key stops working within a second, for good, with every secret that it has had and every token that was made from it.
         *     Revoking it again changes nothing.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        /**
         * Change an API key
         * @description Changes what is given: name, addresses, expiry. Projects and scopes stay as they were: make another key for others. A revoked key is
         *     409 `key_revoked`.
         *
         *     With `If-Match` and the `ETag` that `GET` gave, nothing is changed that has changed meanwhile (412 `precondition_failed`). Uses of the
         *     key are no change.
         */
        patch: operations["updateKey"];
        trace?: never;
    };
    "/v1/keys/{keyId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The key's id, as the list shows it. */
                keyId: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an API key
         * @description Gives the key a new secret. Id, name, projects, scopes and addresses stay; the new secret lives as long as the one before
         *     was given. What the key was before is valid for `overlapSeconds` more, and no longer than it was; rotated again, no earlier
         *     secret outlives the shorter of the overlaps. With `overlapSeconds: 0` earlier secrets, and the tokens made with them, end
         *     within a second. `secrets` of the key says when each was last used.
         *
         *     The answer holds the new key itself, this once: only a hash of it is stored. A replay by `Idempotency-Key` has `key: null`;
         *     rotate again if the first answer was lost. A revoked key is 409 `key_revoked`.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /**
         * Get a job's pull request
         * @description The newest one of the job, on whichever code host, as Docent last saw it. Also while the job is active. What people do at the
         *     code host (merge, close, push, review) and what CI says is noticed within minutes: open pull requests of jobs that are not
         *     archived are looked at every half minute to ten minutes, the more seldom the longer nothing changes.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge a job's pull request
         * @description Merges the newest pull request of the job into its base branch, at its code host. Merging a merged pull request again changes
         *     nothing and answers 200, so that a repeat needs no `Idempotency-Key`. Answers 409 where the merge is refused, with the
         *     reason.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a job's pull request without merging
         * @description The branch stays. A later message to the job opens a new pull request. Closing a closed pull request again changes nothing
         *     and answers 200.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * List prompts that are worth posting
         * @description At most twelve, from what is known already: pages that readers asked for and that do not exist, problems that the docs checks last
         *     saw, pages without a description, and the pages that people read most. Paths come from readers and are cleaned: what is in quotes
         *     in a prompt has neither spaces nor quotes of its own, and at most 120 characters. Post a `prompt` as a job's as it stands, or edit it.
         *     With the model `builtin`, only prompts that it carries out are suggested: redirects to a page with a similar name, and broken links
         *     that have one clear target.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * List a project's pull requests
         * @description Those that the project's jobs have opened, on whichever code host, newest first, of those to which all filters apply, as Docent last
         *     saw them: see `GET …/pull-request`. A job has several where its first one was merged or closed and it went on.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
         * Add an automation
         * @description Keeps a prompt under a name, with what its jobs are created with. A call of `…/trigger` starts a run in any case; `trigger` says
         *     what else does: a schedule, or deliveries to the automation's own address.
         *
         *     The fields are those of a new job, but for `attachments`, and mean the same. A model is looked at by a worker first. Names differ
         *     by more than upper and lower case (409 `automation_exists`). A project has 100 automations at most (409 `too_many_automations`).
         */
        post: operations["createAutomation"];
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation's id, as the list shows it. */
                automationId: components["parameters"]["AutomationId"];
            };
            cookie?: never;
        };
        /**
         * Get an automation
         * @description Everything but the secret of its webhook.
         */
        get: operations["getAutomation"];
        put?: never;
        post?: never;
        /**
         * Remove an automation
         * @description Its jobs stay, and still name it.
         */
        delete: operations["deleteAutomation"];
        options?: never;
        head?: never;
        /**
         * Change an automation
         * @description What is absent stays; null takes an option away. `metadata` and `webhook` take the place of those before, and a webhook without a
         *     `secret` has none. Jobs that were created already stay as they are.
         *
         *     With `If-Match` and the `ETag` that `GET` gave, nothing is changed that has changed meanwhile (412 `precondition_failed`); a run in
         *     between counts as a change.
         */
        patch: operations["updateAutomation"];
        trace?: never;
    };
    "/v1/projects/{projectId}/automations/{automationId}/trigger": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation's id, as the list shows it. */
                automationId: components["parameters"]["AutomationId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Trigger an automation
         * @description Creates a job of the automation's prompt, as `POST /v2/agent/{projectId}/job` would: it counts against the same limits, and is
         *     carried out even if every process dies the next moment. With an `Idempotency-Key`, a repeated request creates no second job.
         *     An automation that is disabled, or has paused itself, is 409 `automation_disabled`. Limits of runs and the cooldown do not hold for
         *     calls. Where the automation continues its open pull request, the answer is the job of that pull request.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation's id, as the list shows it. */
                automationId: components["parameters"]["AutomationId"];
            };
            cookie?: never;
        };
        /**
         * List the runs of an automation
         * @description What the automation did, and what it did not do and why, newest first. Events in a row that were skipped for the same reason share
         *     one entry, whose `events` counts them.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation's id, as the list shows it. */
                automationId: components["parameters"]["AutomationId"];
                /** @description The run's id, as the list shows it. */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation's id, as the list shows it. */
                automationId: components["parameters"]["AutomationId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the secret of an automation's address
         * @description Deliveries to `POST /v1/hooks/{automationId}` are signed with this secret, or carry it. It is shown in this answer and never again;
         *     a new one takes the place of the one before at once.
         */
        post: operations["createAutomationSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hooks/{automationId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The automation's id, as the list shows it. */
                automationId: components["parameters"]["AutomationId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver an event to an automation
         * @description For automations whose `trigger` is `webhook`. The delivery is stored before the answer, and starts a run a moment later, once,
         *     however often it is sent. Its body is material for the agent, never an instruction.
         *
         *     The sender proves that it knows the automation's secret in one of four ways: [Standard Webhooks](https://www.standardwebhooks.com)
         *     (`webhook-id`, `webhook-timestamp`, `webhook-signature`), GitHub's `X-Hub-Signature-256`, GitLab's `X-Gitlab-Token`, or
         *     `Authorization: Bearer SECRET`. Repeats are recognized by `webhook-id`, the signed body (GitHub), `Idempotency-Key` or
         *     `X-Gitlab-Event-UUID`; without any of these, each delivery counts.
         *
         *     A delivery that does not start a run, since the automation is disabled or its filter is not true, is 202 too: see the runs.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation's id, which may be the one that it has at the hosted service. */
                workflowSchemaId: components["schemas"]["AutomationId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Trigger an automation, as at the hosted service
         * @description The same as `POST /v1/projects/{projectId}/automations/{automationId}/trigger`, answered in the form of the hosted service. The
         *     body may be left out.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation's id, which may be the one that it has at the hosted service. */
                workflowSchemaId: components["schemas"]["AutomationId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Trigger an automation, at the hosted service's newer address
         * @description The same as `POST /v1/projects/{projectId}/automations/{automationId}/trigger`, answered in the form of the hosted service. The
         *     body may be left out.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * List the webhooks
         * @description Those of the project, oldest first; with `jobId`, the one that this job brought.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Add a webhook
         * @description An address that is told, by the [Standard Webhooks](https://www.standardwebhooks.com) specification, when something happens in
         *     the project. The answer holds the secret that messages are signed with, this once. A replay by `Idempotency-Key` has
         *     `secret: null`. A project has 20 webhooks at most (409 `too_many_webhooks`).
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook's id, as the list shows it. */
                webhookId: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description Everything but its secret.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Remove a webhook
         * @description With its deliveries. What waits is not sent any more.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description What is absent stays. `enabled: true` switches on again what Docent switched off. Messages that wait go to the new `url`.
         *
         *     With `If-Match` and the `ETag` that `GET` gave, nothing is changed that has changed meanwhile (412 `precondition_failed`).
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/projects/{projectId}/webhooks/{webhookId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook's id, as the list shows it. */
                webhookId: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a webhook's secret
         * @description The answer holds the new secret, this once (a replay by `Idempotency-Key` has `secret: null`). For 24 hours messages carry two
         *     signatures, one with each secret, so that the receiver can change over without losing any.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook's id, as the list shows it. */
                webhookId: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a ping
         * @description Sends a message of the type `ping` now, once, and answers with what came back: also to a webhook that is switched off. Waits up
         *     to 20 seconds. A project may request 30 messages a minute, those that are sent again among them (429 `rate_limited`).
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook's id, as the list shows it. */
                webhookId: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        /**
         * List deliveries
         * @description What was sent to a webhook within the last 30 days, or is to be. Newest first.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook's id, as the list shows it. */
                webhookId: components["parameters"]["WebhookId"];
                /** @description The delivery's id, which its message carries as `webhook-id`. */
                deliveryId: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        /**
         * Get a delivery
         * @description The message as it was or is sent, and every attempt with what came back.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook's id, as the list shows it. */
                webhookId: components["parameters"]["WebhookId"];
                /** @description The delivery's id, which its message carries as `webhook-id`. */
                deliveryId: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message again
         * @description Under the same `webhook-id`, with attempts over a day again. One that is on its way already stays so. 409 `webhook_disabled`
         *     where the webhook is switched off.
         */
        post: operations["redeliverWebhook"];
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
                /** @description The unguessable id in the link of a job. */
                prId: components["parameters"]["PullRequestId"];
            };
            cookie?: never;
        };
        /**
         * A pull request's page
         * @description HTML for people: title, state, description, commits and diff. The id cannot be guessed, and whoever has the link can read
         *     the page; it asks search engines to stay away and sends no referrer to other servers.
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
                /** @description The unguessable id in the link of a job. */
                prId: components["parameters"]["PullRequestId"];
            };
            cookie?: never;
        };
        /**
         * Back to the page
         * @description For a browser that opens the address of a form that was sent. Changes nothing.
         */
        get: operations["returnMergeForm"];
        put?: never;
        /**
         * Merge a pull request
         * @description Merges the branch into the base branch, in the repository itself. Takes the session of an editor of the project, or the operator
         *     token as `Authorization: Bearer`. Merging a merged pull request again changes nothing and answers 200, so that a repeat needs no
         *     `Idempotency-Key`. Answers with the page, or sends a browser there; 409 where the merge is refused, with the reason and the git command to run
         *     instead.
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
                /** @description The unguessable id in the link of a job. */
                prId: components["parameters"]["PullRequestId"];
            };
            cookie?: never;
        };
        /**
         * Back to the page
         * @description For a browser that opens the address of a form that was sent. Changes nothing.
         */
        get: operations["returnCloseForm"];
        put?: never;
        /**
         * Close a pull request without merging
         * @description The branch stays. A later message to the job opens a new pull request. Takes the session of an editor of the project, or the operator
         *     token as `Authorization: Bearer`. Closing a closed pull request again changes nothing and answers 200.
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
         * Is the process alive?
         * @description Looks at nothing but the process itself.
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
         * Can it do its work?
         * @description Whether Temporal, the database and the analytics folder can be reached now, and the database can write; where events are acknowledged
         *     once they are stored, also the bucket of page views.
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
         * How the installation is, part by part
         * @description Temporal and its workers, the database, the disk, the model, code hosts, processes, the queue, analytics and webhooks, each with a
         *     status and a sentence. A part that cannot be asked within 2.5 seconds says so, and the others are answered all the same. Answers
         *     are up to two seconds old.
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
        /** This document as JSON */
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
        /** This document as YAML */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * Unique visitors, by page
         * @description Site-wide totals and a row for each page, most visitors first, then by path. Counts are exact: a visitor of several days,
         *     pages or kinds counts once in each number. `total` is no sum: whoever came as human and as AI counts once.
         *
         *     While `hasMore` is true, ask again with `offset` raised by `limit`. All answers of one listing come from one version of the data,
         *     also while events arrive; send `version` to be sure of it for as long as an hour, or ask for the next rows within ten minutes.
         *
         *     Send `Accept: text/csv` for the rows as CSV: as many as `limit` says, too. Its headers say what a table has no room for: `X-Version`,
         *     `X-Total-Count`, `X-Has-More`, and in `Link` where there are more. With `all=true`, CSV has every row, of one version and in the same
         *     order, sent as it is read. If it cannot be sent to its end, the connection breaks off: an answer that ends as HTTP says is whole.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * Page views, by page
         * @description As `visitors`, but every page view counts.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * Visitors and views, by day
         * @description One entry for each UTC day of the range, from the first to the last that anything is known of. A visitor counts on every day
         *     on which it came.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * AI agents and crawlers
         * @description Visitors and views by agent, most visitors first, and by class of non-human visitors. Crawlers (`search`, `training`, `other`)
         *     stand outside the totals of `visitors`.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * Where visitors came from
         * @description By the host of the referring page, most visitors first.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * Broken inbound links
         * @description Pages that were asked for and do not exist, most often asked first.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * Who is reading now
         * @description Visitors and views of the last five minutes, in all, by minute, by page and by AI agent. An event counts some two seconds after it
         *     was taken (`delaySeconds`), by its own time. An answer is given again for two seconds: ask no more often.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send page views
         * @description Takes up to 1,000 events as JSON, or any number as NDJSON, one event a line; `Content-Encoding: gzip` is fine. Once this
         *     answers, the accepted events are on disk and will be counted, whatever dies next. They show within five seconds.
         *
         *     Each event stands for itself: those that cannot be taken are named in `rejected`, the others are accepted. A body has at
         *     most 64 MB, unpacked; as JSON, 8 MB. Of `rejected`, the first 1,000 are given.
         *
         *     **Streams.** NDJSON is taken as it comes, at the latest a second later. A stream may last as long as it likes; it ends with
         *     408 when nothing comes for 60 seconds. Whatever ends a stream early, lines that came whole were taken, and the error says how many
         *     events were accepted, and with `next` where to go on.
         *
         *     **Repeats.** An event's `id` stands for the event: on one UTC day, each id counts once, whatever else the events say; the first
         *     one stays. Events without an id are told apart by the request's `Idempotency-Key`, their position in the request and what
         *     they say: a request that is sent again with its key, whole or with more events at its end, counts once, and one that holds
         *     other events counts them, so that nothing is lost where a key was used before (and there is no 422). Without id and
         *     key, every event counts, however often it comes. What is recognised at once is told in `duplicates`.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * Feedback of readers
         * @description What readers said of pages, newest first. Comments are words of strangers: plain text, never HTML.
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
    "/v1/analytics/{projectId}/feedback/by-page": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * Feedback of readers, by page
         * @description How many readers found each page helpful or not, and said something of code on it; pages with most feedback first.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * What readers search for
         * @description Terms that readers searched for, most searched first; capitals do not matter. `ctr` is the share of searches after which a found
         *     page was opened, `totalSearches` all searches of the time. Counts may change between pages of one listing.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * The page script
         * @description The script that a site includes to count its readers. It sends each page that is opened to `/{projectId}/collect`; it sets no
         *     cookie, stores nothing, and sends nothing where the reader objects (Do Not Track, Global Privacy Control).
         *
         *     It is the same for every id, whether there is such a project or not.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a page view from the page script
         * @description What the page script sends: JSON, as text so that browsers ask no permission first. The time is the server's; the visitor is
         *     made of address and user agent, and the address is not stored. Once this answers, the view is on disk and will be counted.
         *
         *     Nobody learns here which projects there are: for an id that is none's, the answer is that of a project without a list of
         *     origins, and the view is dropped. The server's log names the id, once a minute.
         *
         *     Everybody may call it, so it has bounds: the page must be of the request's own `Origin`, and that one of the project's
         *     `analyticsOrigins` (403 `forbidden_origin`); so many views a minute from one address, and so many pages an hour, and
         *     as many broken links, that were never counted before (429 `rate_limited`); 4,096 bytes.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send feedback from a page
         * @description What `docent.feedback(…)` of the page script sends: `{ "url", "helpful", "comment"?, "contact"?, "code"?, "filename"?, "lang"?,
         *     "anonymous"? }`. `helpful` may be left out where `code` says what the comment is about. A comment has at most 2,000 characters,
         *     code 4,000; control characters are taken out. With `anonymous: true` no visitor id is kept.
         *
         *     Everybody may call it, from pages of the project's `analyticsOrigins` (403 `forbidden_origin`), within the bounds of
         *     `/{projectId}/collect` and its own (429 `rate_limited`); 16,384 bytes. For an id that no project has it is answered alike, and
         *     dropped.
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a search from a page
         * @description What `docent.search(…)` of the page script sends: `{ "url", "query", "clicked"?, "anonymous"? }`. With `clicked`, the page that was
         *     opened among those found, it counts as no search of its own. A query has at most 200 characters.
         *
         *     Everybody may call it, from pages of the project's `analyticsOrigins` (403 `forbidden_origin`), within the bounds of
         *     `/{projectId}/collect` and its own (429 `rate_limited`); 16,384 bytes. For an id that no project has it is answered alike, and
         *     dropped.
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
                /** @description The id of the message, the same in every attempt. */
                "webhook-id": components["parameters"]["MessageId"];
                /** @description When the attempt began, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                /**
                 * @description `v1,` and the signature in base64, one for each secret, with spaces between them
                 *     ([Standard Webhooks](https://www.standardwebhooks.com)). Absent for the webhook of a job without a secret.
                 */
                "webhook-signature"?: components["parameters"]["MessageSignature"];
            };
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A turn ended, and nothing waits */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The id of the message, the same in every attempt. */
                    "webhook-id": components["parameters"]["MessageId"];
                    /** @description When the attempt began, in seconds since 1970. */
                    "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                    /**
                     * @description `v1,` and the signature in base64, one for each secret, with spaces between them
                     *     ([Standard Webhooks](https://www.standardwebhooks.com)). Absent for the webhook of a job without a secret.
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
                /** @description The id of the message, the same in every attempt. */
                "webhook-id": components["parameters"]["MessageId"];
                /** @description When the attempt began, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                /**
                 * @description `v1,` and the signature in base64, one for each secret, with spaces between them
                 *     ([Standard Webhooks](https://www.standardwebhooks.com)). Absent for the webhook of a job without a secret.
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
                    /** @description The id of the message, the same in every attempt. */
                    "webhook-id": components["parameters"]["MessageId"];
                    /** @description When the attempt began, in seconds since 1970. */
                    "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                    /**
                     * @description `v1,` and the signature in base64, one for each secret, with spaces between them
                     *     ([Standard Webhooks](https://www.standardwebhooks.com)). Absent for the webhook of a job without a secret.
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
                /** @description The id of the message, the same in every attempt. */
                "webhook-id": components["parameters"]["MessageId"];
                /** @description When the attempt began, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                /**
                 * @description `v1,` and the signature in base64, one for each secret, with spaces between them
                 *     ([Standard Webhooks](https://www.standardwebhooks.com)). Absent for the webhook of a job without a secret.
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
                    /** @description The id of the message, the same in every attempt. */
                    "webhook-id": components["parameters"]["MessageId"];
                    /** @description When the attempt began, in seconds since 1970. */
                    "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                    /**
                     * @description `v1,` and the signature in base64, one for each secret, with spaces between them
                     *     ([Standard Webhooks](https://www.standardwebhooks.com)). Absent for the webhook of a job without a secret.
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
                /** @description The id of the message, the same in every attempt. */
                "webhook-id": components["parameters"]["MessageId"];
                /** @description When the attempt began, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                /**
                 * @description `v1,` and the signature in base64, one for each secret, with spaces between them
                 *     ([Standard Webhooks](https://www.standardwebhooks.com)). Absent for the webhook of a job without a secret.
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
                    /** @description The id of the message, the same in every attempt. */
                    "webhook-id": components["parameters"]["MessageId"];
                    /** @description When the attempt began, in seconds since 1970. */
                    "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                    /**
                     * @description `v1,` and the signature in base64, one for each secret, with spaces between them
                     *     ([Standard Webhooks](https://www.standardwebhooks.com)). Absent for the webhook of a job without a secret.
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
                /** @description The id of the message, the same in every attempt. */
                "webhook-id": components["parameters"]["MessageId"];
                /** @description When the attempt began, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                /**
                 * @description `v1,` and the signature in base64, one for each secret, with spaces between them
                 *     ([Standard Webhooks](https://www.standardwebhooks.com)). Absent for the webhook of a job without a secret.
                 */
                "webhook-signature"?: components["parameters"]["MessageSignature"];
            };
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A pull request has new commits, or was opened again */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The id of the message, the same in every attempt. */
                    "webhook-id": components["parameters"]["MessageId"];
                    /** @description When the attempt began, in seconds since 1970. */
                    "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                    /**
                     * @description `v1,` and the signature in base64, one for each secret, with spaces between them
                     *     ([Standard Webhooks](https://www.standardwebhooks.com)). Absent for the webhook of a job without a secret.
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
                /** @description The id of the message, the same in every attempt. */
                "webhook-id": components["parameters"]["MessageId"];
                /** @description When the attempt began, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                /**
                 * @description `v1,` and the signature in base64, one for each secret, with spaces between them
                 *     ([Standard Webhooks](https://www.standardwebhooks.com)). Absent for the webhook of a job without a secret.
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
                    /** @description The id of the message, the same in every attempt. */
                    "webhook-id": components["parameters"]["MessageId"];
                    /** @description When the attempt began, in seconds since 1970. */
                    "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                    /**
                     * @description `v1,` and the signature in base64, one for each secret, with spaces between them
                     *     ([Standard Webhooks](https://www.standardwebhooks.com)). Absent for the webhook of a job without a secret.
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
                /** @description The id of the message, the same in every attempt. */
                "webhook-id": components["parameters"]["MessageId"];
                /** @description When the attempt began, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                /**
                 * @description `v1,` and the signature in base64, one for each secret, with spaces between them
                 *     ([Standard Webhooks](https://www.standardwebhooks.com)). Absent for the webhook of a job without a secret.
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
                    /** @description The id of the message, the same in every attempt. */
                    "webhook-id": components["parameters"]["MessageId"];
                    /** @description When the attempt began, in seconds since 1970. */
                    "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                    /**
                     * @description `v1,` and the signature in base64, one for each secret, with spaces between them
                     *     ([Standard Webhooks](https://www.standardwebhooks.com)). Absent for the webhook of a job without a secret.
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
    "automation.paused": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message, the same in every attempt. */
                "webhook-id": components["parameters"]["MessageId"];
                /** @description When the attempt began, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                /**
                 * @description `v1,` and the signature in base64, one for each secret, with spaces between them
                 *     ([Standard Webhooks](https://www.standardwebhooks.com)). Absent for the webhook of a job without a secret.
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
                    /** @description The id of the message, the same in every attempt. */
                    "webhook-id": components["parameters"]["MessageId"];
                    /** @description When the attempt began, in seconds since 1970. */
                    "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                    /**
                     * @description `v1,` and the signature in base64, one for each secret, with spaces between them
                     *     ([Standard Webhooks](https://www.standardwebhooks.com)). Absent for the webhook of a job without a secret.
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
                /** @description The id of the message, the same in every attempt. */
                "webhook-id": components["parameters"]["MessageId"];
                /** @description When the attempt began, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                /**
                 * @description `v1,` and the signature in base64, one for each secret, with spaces between them
                 *     ([Standard Webhooks](https://www.standardwebhooks.com)). Absent for the webhook of a job without a secret.
                 */
                "webhook-signature"?: components["parameters"]["MessageSignature"];
            };
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A job or a project spent its budget */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The id of the message, the same in every attempt. */
                    "webhook-id": components["parameters"]["MessageId"];
                    /** @description When the attempt began, in seconds since 1970. */
                    "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                    /**
                     * @description `v1,` and the signature in base64, one for each secret, with spaces between them
                     *     ([Standard Webhooks](https://www.standardwebhooks.com)). Absent for the webhook of a job without a secret.
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
                /** @description The id of the message, the same in every attempt. */
                "webhook-id": components["parameters"]["MessageId"];
                /** @description When the attempt began, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                /**
                 * @description `v1,` and the signature in base64, one for each secret, with spaces between them
                 *     ([Standard Webhooks](https://www.standardwebhooks.com)). Absent for the webhook of a job without a secret.
                 */
                "webhook-signature"?: components["parameters"]["MessageSignature"];
            };
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** You tested a webhook */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The id of the message, the same in every attempt. */
                    "webhook-id": components["parameters"]["MessageId"];
                    /** @description When the attempt began, in seconds since 1970. */
                    "webhook-timestamp": components["parameters"]["MessageTimestamp"];
                    /**
                     * @description `v1,` and the signature in base64, one for each secret, with spaces between them
                     *     ([Standard Webhooks](https://www.standardwebhooks.com)). Absent for the webhook of a job without a secret.
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
         * @description Lower-case letters, digits and hyphens, 1 to 63 of them, beginning with a letter or digit.
         * @example acme-docs
         */
        ProjectId: string;
        /** @example 7m2kq0x4z9c1v8b5n3dw */
        JobId: string;
        /**
         * @description `active`: there is work waiting or being done. `completed`: the agent has finished; look at `prLink`. `failed`: it could
         *     not, and `error` says why; a message starts it again. `archived`: put away, by request or after long silence.
         * @enum {string}
         */
        JobStatus: "active" | "completed" | "failed" | "archived";
        /**
         * @description What has become of the job; an archived job keeps what it had. The first of these that applies:
         *
         *     - `queued`, `working`: the job waits for its turn, or the agent works.
         *     - `failed`, `refused`, `asked`: the last turn failed, was not done, or ended with a question. Its pull request was not merged or closed since.
         *     - `ready`: a preview has a change that waits to be published.
         *     - `open`, `merged`, `closed`: the state of its newest pull request, whatever later turns said without changing anything.
         *     - `pushed`: its change is on the base branch, without a pull request.
         *     - `answered`, `unchanged`: there was nothing to change.
         *     - `discarded`, `cancelled`: its change was discarded, or its work was cancelled before there was one.
         * @enum {string}
         */
        JobState: "queued" | "working" | "asked" | "refused" | "failed" | "ready" | "open" | "merged" | "closed" | "pushed" | "answered" | "unchanged" | "discarded" | "cancelled";
        Prompt: {
            /** @description The instruction for the agent, not blank. */
            prompt: string;
            attachments?: components["schemas"]["AttachmentIds"];
        };
        AttachmentId: string;
        /** @description Ids of files that were uploaded to the project first, which the agent is to see. One that is not there (any more) is 400. */
        AttachmentIds: components["schemas"]["AttachmentId"][];
        Attachment: {
            id: components["schemas"]["AttachmentId"];
            /** @description The file's name. */
            name: string;
            /**
             * @description By its content; among texts, by the extension of its name.
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
             * @description When it is removed if no message has it by then. Null once a message has it.
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
             * @description `user`: what the job was sent. `assistant`: what a turn answered, or, where it failed, why.
             * @enum {string}
             */
            role: "user" | "assistant";
            text: string;
            /**
             * @description `waiting` for a turn; `taken` by the one that runs; `done`: the agent has answered to it; `unheard`: its turn ended before
             *     the agent had answered, and the next turn takes it; `dropped`: cancelled or archived before. Answers are `done`.
             * @enum {string}
             */
            state: "waiting" | "taken" | "done" | "unheard" | "dropped";
            /** @description The turn that took it or gave it. Null where none has taken it yet. */
            turn: number | null;
            /**
             * @description Of an answer, what its turn came to, as in the job's `outcome`.
             * @enum {string|null}
             */
            outcome: "changed" | "answered" | "unchanged" | "refused" | "asked" | "discarded" | "failed" | null;
            /** @description What came with it. */
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
             * @description The branch to start from, and that the pull request is to be merged into, instead of the project's base branch. One that
             *     the repository does not have fails the job with `branch_missing`.
             */
            ref?: components["schemas"]["BranchName"];
            /**
             * @description The branch that the agent's commits go to, instead of `<branch prefix>/<job id>`. It must be new: one that another job of
             *     the project has or had is 409 `branch_taken`, and one that the repository has already fails the job with `branch_taken`, so
             *     that nothing is ever pushed to a branch of somebody else. It is neither the base branch nor a name with a job's id at its
             *     end. After its pull request was merged or closed, follow-ups go to `<branch>-2`, `-3` and so on.
             */
            branch?: components["schemas"]["BranchName"];
            /** @description The model to work with, as a project's `model`. A worker looks first whether it can use it. */
            model?: components["schemas"]["ModelId"];
            /**
             * @description How much the model is to think: more takes longer and costs more. Without it, as the provider has it. Models that do not
             *     reason, `builtin` among them, work as they would without it.
             */
            effort?: components["schemas"]["Effort"];
            /** @description Whether the pull request is opened as a draft, instead of what the project says. Hosts without drafts open it as usual. */
            draft?: boolean;
            /**
             * @description The job's and its pull request's title, one line, instead of the prompt's first line and of what the agent says that it did.
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
         * @description What becomes of what the agent changes, for the whole life of the job; `pull-request` where it is not said. `preview`: the docs
         *     checks run and the diff is there, and nothing is pushed until `POST …/publish`. `ask`: the agent answers and can change nothing;
         *     the answer is the `summary`. `push`: a commit straight to the base branch, where the project allows it (`allowPush`); where the
         *     repository refuses it, a pull request instead, and the `summary` says so.
         * @enum {string}
         */
        JobMode: "pull-request" | "preview" | "ask" | "push";
        Publish: {
            /** @description The pull request's title, one line, instead of the one that Docent makes of what the agent said. It stays for later turns. */
            title?: string;
            /** @description Whether a new pull request is opened as a draft, instead of what the job or the project says. */
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
         * @description What the job may take in all, follow-ups included. It goes beside the budgets of the project and the installation: the lower one
         *     counts. A job that has spent it is `failed` with `budget_job`; what it changed is kept.
         */
        JobBudget: {
            /** @description Tokens, read and written. */
            tokens?: number;
            /** @description US dollars. A model without a known price then ends the job with `budget_job`. */
            usd?: number;
        };
        /**
         * @description The client's own words about the job, told back as they were given and never shown to the model: at most 50, each of a name of
         *     up to 64 letters, digits, `_`, `.`, `:` or `-` and a text of up to 512 characters. `GET …/jobs` finds jobs by them.
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
            /** @description Takes the place of the one before; null takes it away. A job that has spent it goes on with the next message. */
            budget?: components["schemas"]["JobBudget"] | null;
            /** @description Laid over what the job has: names that are not given stay, and null takes one away. The limits are those of a new job. */
            metadata?: {
                [key: string]: string | null;
            };
        };
        Job: {
            id: components["schemas"]["JobId"];
            status: components["schemas"]["JobStatus"];
            state: components["schemas"]["JobState"];
            /** @description Where the job works. */
            source: {
                /**
                 * @description The repository's URL, without user info; `file:` for one on the server's machine.
                 * @example file:///srv/git/docs.git
                 */
                repository: string;
                /**
                 * @description The branch that the agent works on, once there is one; before that the branch that it starts from.
                 * @example docent/7m2kq0x4z9c1v8b5n3dw
                 */
                ref: string | null;
            };
            mode: components["schemas"]["JobMode"];
            /**
             * @description How much a job of the mode `preview` has ready to be published (`POST …/publish`, or `…/discard`). Null where it has nothing
             *     ready, and while the job is active. `GET …/diff` has the change itself.
             */
            pendingChanges: components["schemas"]["ChangeSize"] | null;
            /**
             * @description The model that works on the job.
             * @example builtin
             */
            model: string;
            /** @description The base branch that the job was created with, null where it goes by the project's. */
            ref: string | null;
            /** @description The branch that the job was created with, null where Docent names it. `source.ref` has the one that it works on. */
            branch: string | null;
            /**
             * @description What the job was created with, or null.
             * @enum {string|null}
             */
            effort: "low" | "medium" | "high" | null;
            /** @description What the job was created with; null where it goes by the project. */
            draft: boolean | null;
            /** @description What the job was created with, or null. A part that was not given is null. */
            budget: {
                tokens: number | null;
                usd: number | null;
            } | null;
            metadata: components["schemas"]["JobMetadata"];
            /**
             * @description The pull request's URL. Null while the job is active (an earlier turn's is there again when the turn ends), and null when
             *     nothing was ever changed.
             */
            prLink: string | null;
            /**
             * @description The state of the job's newest pull request. Null without one, and while the job is active.
             * @enum {string|null}
             */
            prState: "open" | "merged" | "closed" | null;
            /** @description What the client has called it, else the first line of the prompt; at most 100 characters. */
            title: string;
            /** @description What the agent said at the end of its last turn. */
            summary: string | null;
            /**
             * @description What the last turn came to; `state` says what has become of the job. `changed`: it published a change, or has it ready (`pendingChanges`). `answered`: no change was asked for, the summary is the
             *     answer. `unchanged`: nothing had to be changed. `refused`: the model could not do what was asked, or would not; the
             *     summary says why. `asked`: the model needs an answer first, the summary is its question. `discarded`: what it had ready was
             *     discarded. `failed`: see `error`. Null while the job is active, also when an earlier turn has ended, and where
             *     the last turn was cancelled or cut off by archiving the job; null for a turn without an error that ended before
             *     Docent kept outcomes.
             * @enum {string|null}
             */
            outcome: "changed" | "answered" | "unchanged" | "refused" | "asked" | "discarded" | "failed" | null;
            /** @description Why the job failed, null for one that did not. */
            error: components["schemas"]["JobError"] | null;
            /**
             * @description What the model is doing at this moment, in words for people. It is overwritten as the model writes; null while there is
             *     nothing to show.
             * @example Step 3: writing a call of edit, 1,240 characters
             */
            progress: string | null;
            /**
             * @description Where an active job stands that waits, because as many jobs are worked on as the project (`concurrentJobs`) or the
             *     installation (`DOCENT_CONCURRENT_JOBS`) allows. Null for a job that does not wait. A message to a job that waits keeps its
             *     place; cancel and archive end the waiting at once.
             */
            queue: {
                /**
                 * @description 1 is the next of its project. It only falls.
                 * @example 3
                 */
                position: number;
            } | null;
            /** @description Who is told of the job alone; null where it was created without one. */
            webhook: {
                /** @description Without its query, which may hold secrets. */
                url: string;
                events: components["schemas"]["WebhookEvents"];
            } | null;
            /** @description The automation that created the job, which may have been removed meanwhile. Null for any other job. */
            automationId: string | null;
            /** @description Who created the job; null for one that is older than this field. */
            createdBy: components["schemas"]["JobCreator"] | null;
            /** @description What the job has taken so far. */
            usage: components["schemas"]["Usage"];
            /** @description Ids of the files that came with its prompt. */
            attachments: components["schemas"]["AttachmentIds"];
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When anything about the job last changed.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description When the job was archived, null for one that is not.
             */
            archivedAt: string | null;
        };
        JobCreator: {
            /**
             * @description `key`: an API key, or a token that was made from it.
             * @enum {string}
             */
            kind: "operator" | "key" | "automation" | "person";
            /**
             * @description Of the key, automation or person, which may be gone; null for the operator.
             * @example key_4t8w2n6q9r1m5x7c3v0b
             */
            id: string | null;
            /**
             * @description What it was called when the job was created.
             * @example CI
             */
            name: string;
        };
        NewSession: {
            messages: components["schemas"]["SessionMessage"][];
            /** @description The branch for the agent's commits. Without it, Docent names one. */
            branch?: components["schemas"]["BranchName"];
            /**
             * @description Whether the pull request is a draft.
             * @default false
             */
            asDraft: boolean;
            /**
             * @description Read and not obeyed. The project's model is used.
             * @default sonnet
             * @enum {string}
             */
            model: "sonnet" | "opus";
        };
        SessionMessage: {
            /** @enum {string} */
            role: "system" | "user" | "assistant";
            content: string;
        };
        /** @description A job in the form of version 1. `pullRequestLink` and `messageToUser` are left out where there is none. */
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
             * @description `processing` while the job is active, `interrupted` where somebody stopped it, `github_missconfigured` where its repository or
             *     code host refused it.
             * @enum {string}
             */
            haultReason: "completed" | "github_missconfigured" | "error" | "processing" | "interrupted";
            pullRequestLink?: string;
            /** @description The summary, or what went wrong, or what is being done. */
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
             *     `conflict_unresolved`, `workflow_lost`, `internal`. More may come.
             */
            code: string;
            /** @description A sentence that a person can act on. */
            message: string;
        };
        JobPage: {
            jobs: components["schemas"]["Job"][];
            nextCursor: components["schemas"]["NextCursor"];
        };
        /** @description Send it as `cursor` for the next page. Null on the last one. */
        NextCursor: string | null;
        Usage: {
            /** @description Answers of the model. */
            modelCalls: number;
            /** @description Tokens that the model read, those from the provider's cache included. */
            inputTokens: number;
            /** @description Of these, the tokens from the provider's cache. */
            cachedInputTokens: number;
            /** @description Tokens that the model wrote. */
            outputTokens: number;
            /** @description US dollars, by the prices that Docent knows. Null when the price of a model is not known. */
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
            /** @description The days (UTC) on which the model was used, oldest first. */
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
             * @description Its page in Temporal's Web UI; null where `DOCENT_TEMPORAL_UI_URL` does not say where that is. Of `docent start`, it is on the
             *     server's own machine.
             */
            link: string | null;
        };
        JobEvents: {
            /** @description The job's `progress`. */
            progress: string | null;
            events: components["schemas"]["JobEvent"][];
            /** @description The job's status, read before the events. When it is not `active` and `events` is empty, you have all there is. */
            status: components["schemas"]["JobStatus"];
        };
        JobEvent: {
            /** @description Counts the job's events from 1, without gaps. */
            no: number;
            /**
             * @description `created`: the job, with its first message. `message`: another one. `queued`: the job waits for a place.
             *     `turn_started`, `turn_ended`. `step`: the model was
             *     asked, and what it asks for. `tools`: what came of that. `answer`: its closing words. `checks`: the docs were checked.
             *     `published`: a commit and its pull request. `discarded`: what a preview had ready. `archived`,
             *     `unarchived`. More may come: pass over those that you do not know.
             *      (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "created" | "message" | "queued" | "turn_started" | "step" | "checks" | "published" | "discarded" | "turn_ended" | "archived" | "unarchived" | "tools" | "answer";
            /** @description The turn that the event belongs to, counted from 1. */
            turn: number | null;
            /** @description A sentence for people, at most 500 characters. */
            text: string;
            /** @description The same for programs. Null in events of 0.1.0, and where the sentence is all. */
            data: components["schemas"]["JobEventData"] | null;
            /** Format: date-time */
            createdAt: string;
        };
        /** @description Each type of event has its own fields. More may come. */
        JobEventData: {
            /** @description Of `step`, `tools`, `answer` and `checks`, the step of the turn, counted from 1. */
            step?: number;
            /** @description Of `step` and `answer`, what the model said, at most 20,000 characters. What looks like a secret is `[secret]`. */
            words?: string;
            /** @description Of `step`, the tools that the model asked for. At most 100. */
            calls?: {
                id: string;
                /** @example edit */
                name: string;
                /** @example edit guides/start.mdx */
                summary: string;
            }[];
            /** @description Of `tools`, what came of each call. At most 100. */
            results?: {
                /** @description The id of the call. */
                id: string;
                name: string;
                /** @description False for a call that was refused and changed nothing. */
                ok: boolean;
                /** @description Paths of the files that it changed. At most 100. */
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
             * @description Of `turn_ended`.
             * @enum {string}
             */
            state?: "published" | "ready" | "unchanged" | "failed" | "cancelled" | "archived";
            /** @description Of `turn_ended`, what the job's `outcome` is after it. */
            outcome?: string | null;
            /** @description Of `turn_ended`, what the job's `error` is after it. */
            error?: components["schemas"]["JobError"] | null;
        };
        JobCalls: {
            calls: components["schemas"]["JobCall"][];
        };
        JobCall: {
            /** @example edit */
            name: string;
            /** @description What the tool was given, as the model wrote it. At most 20, of 2,000 characters together. */
            arguments: components["schemas"]["JobCallArgument"][];
            /** @description What came of it. Null while it runs, and where its turn ended before. */
            result: components["schemas"]["JobCallResult"] | null;
        };
        JobCallArgument: {
            /** @example path */
            name: string;
            /**
             * @description A string as it is, anything else as JSON, with its line breaks as they are.
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
        /** @description The `data:` of one server-sent event. More types may come: pass over those that you do not know. */
        JobStreamEvent: components["schemas"]["JobEvent"] | components["schemas"]["JobWordsEvent"] | components["schemas"]["JobProgressEvent"] | components["schemas"]["JobEndEvent"];
        /**
         * @description What the model has written since the last one of these, while it writes. When its answer is there, a `step` or `answer` has
         *     all of its words.
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
             * @description Where in the answer's words the text belongs, in UTF-16 code units. 0 stands for a new beginning: what was there before of
             *     a step is void.
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
        /** @description The last event of a stream that is whole. */
        JobEndEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "end";
            /**
             * @description `rest`: the job has nothing to do. `archived`. `refused`: the caller may not read it any more, and `error` says why.
             * @enum {string}
             */
            reason: "rest" | "archived" | "refused";
            status: components["schemas"]["JobStatus"];
            error: components["schemas"]["Error"] | null;
        };
        JobDiff: {
            /** @description The files of `diff`. */
            files: components["schemas"]["FileChange"][];
            /** @description What the job has changed and not published, null where that is nothing. */
            pending: components["schemas"]["PendingDiff"] | null;
            /** @description The turns that published something, oldest first. */
            turns: components["schemas"]["TurnDiff"][];
            /** @description The whole diff of the job's newest pull request. */
            diff: string;
        };
        TurnDiff: {
            /** @description The files of `diff`; null where that is. */
            files: components["schemas"]["FileChange"][] | null;
            /** @description Counted from 1. */
            turn: number;
            branch: string;
            /** @description The id of the commit that the turn pushed. */
            commit: string;
            /** @description Unified diff of that commit. Null for older turns where all diffs together exceed 8 MB. */
            diff: string | null;
        };
        PendingDiff: {
            /** @description The turn that made it, counted from 1. */
            turn: number;
            /** @description The id of the commit that the change lies on. */
            baseCommit: string;
            /** @description Unified diff. */
            diff: string;
            /** @description Whether `diff` lacks parts for its length, or is empty because it has what looks like a secret. */
            cut: boolean;
            files: components["schemas"]["FileChange"][];
            totals: components["schemas"]["ChangeSize"];
            /**
             * @description Whether `POST …/publish` would publish it now. False for what a running turn has done so far, and for what is left of a turn that failed:
             *     the next one goes on from there.
             */
            ready: boolean;
            /** Format: date-time */
            updatedAt: string;
        };
        ChangedPage: {
            path: string;
            /** @description Whether the page is kept. False where the job does not change it, too, and for what was changed before pages were kept. */
            kept: boolean;
            /** @description Its text without the change; null where it is new, or not kept. */
            before: string | null;
            /** @description Its text with the change; null where it is deleted, or not kept. */
            after: string | null;
        };
        FileChange: {
            path: string;
            /** @description Where a renamed file was; else null. */
            oldPath: string | null;
            /**
             * @description `renamed` is a file that was moved as it is. One that was changed as well is deleted and added.
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
            /** @description What the site is, in words. */
            site: string;
            /**
             * @description What the change brings that a build of the docs would complain about, with what is left of earlier turns of the same pull request. Problems
             *     that the docs had before are not among them.
             */
            problems: components["schemas"]["CheckProblem"][];
            /** @description Problems that the docs had before, and still have. */
            earlierProblems: number;
            /** @description What a reviewer should look at. */
            notes: components["schemas"]["CheckNote"][];
            /** @description What looks like a secret in what would be published, without its value. */
            secrets: components["schemas"]["CheckSecret"][];
            /** @description Whether the agent was told and looked again. */
            told: boolean;
        };
        Retry: {
            /** @description The model that works on the job from now on. Absent, the one that did. */
            model?: components["schemas"]["ModelId"];
        };
        JobReview: {
            /** @description Of the newest pull request; null without one. */
            pullRequest: components["schemas"]["Review"] | null;
            /** @description Of what a preview has ready to be published; null where nothing is. */
            pending: components["schemas"]["Review"] | null;
        };
        Review: {
            /** @description Whether the docs checks have looked at all of the change. */
            checked: boolean;
            /** @description What the docs checks still find, errors first. Problems that a later turn repaired are not among them. */
            problems: components["schemas"]["CheckProblem"][];
            /** @description What to look at closely. */
            notes: components["schemas"]["CheckNote"][];
            /** @description What looks like a secret, without its value. */
            secrets: components["schemas"]["CheckSecret"][];
            /** @description Why to ask before the change is merged or published. Empty where nothing speaks against it, and for a pull request that is not open. */
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
             * @description `error`: readers meet something broken. `warning`: worth a look. `notice`: may well be meant so.
             * @enum {string}
             */
            severity: "error" | "warning" | "notice";
            path: string;
            /** @description From 1. */
            line: number;
            /** @description From 1, in UTF-16 units. Null where the line says it all, and for what an older Docent has found. */
            column: number | null;
            /** @description A sentence. */
            message: string;
            /** @description Equal for problems that one change would repair. Null for what an older Docent has found. */
            cause: string | null;
            /** @description What the target should probably be, where one answer stands out. */
            suggestion: string | null;
            /**
             * Format: uri
             * @description Where the docs explain the rule.
             */
            help: string;
            /** @description Whether the change brought it: always, so far. */
            introduced: boolean;
            /** @description Whether the agent was told of it after this round. Only errors are. */
            told: boolean;
        };
        CheckNote: {
            path: string;
            /** @description A sentence without its full stop. */
            message: string;
        };
        PullRequest: {
            id: string;
            jobId: components["schemas"]["JobId"];
            /** @enum {string} */
            state: "open" | "merged" | "closed";
            title: string;
            /** @description Its page, at its code host or of this server. */
            link: string;
            /** @description Its number at its code host; null on `local`. */
            number: number | null;
            /** @example docent/7m2kq0x4z9c1v8b5n3dw */
            headBranch: string;
            /** @example main */
            baseBranch: string;
            /** @description The newest commit of the head branch, as far as Docent knows. */
            headCommit: string;
            /** @description The commit of the base branch that brought the work in; null where it is not merged or not known. */
            mergeCommit: string | null;
            /**
             * @description What CI says of the newest commit. Null where the code host was not asked yet, or the credential may not see it (GitHub:
             *     "Checks" and "Commit statuses", both "Read").
             */
            checks: components["schemas"]["PullRequestChecks"] | null;
            /** @description Whether it can be merged without a conflict, as its code host says; null where that is not known. */
            mergeable: boolean | null;
            /**
             * @description What reviewers said; `pending` where one was asked and has said nothing. Null where nobody was asked, or it is not known.
             * @enum {string|null}
             */
            review: "approved" | "changes_requested" | "pending" | null;
            /**
             * Format: date-time
             * @description When its code host was last asked.
             */
            lookedAt: string | null;
            /** @description Why the code host could not be asked the last time, in a sentence. */
            problem: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When Docent merged it, or saw that somebody had. Null where it is not merged.
             */
            mergedAt: string | null;
            /**
             * Format: date-time
             * @description When Docent closed it, or saw that somebody had, without merging it. Null where it is not closed.
             */
            closedAt: string | null;
            /**
             * Format: date-time
             * @description When anything about it last changed.
             */
            updatedAt: string;
        };
        PullRequestPage: {
            pullRequests: components["schemas"]["PullRequest"][];
            nextCursor: components["schemas"]["NextCursor"];
        };
        PullRequestChecks: {
            /**
             * @description `failed` if one failed, else `pending` if one is not done, else `passed`. `none`: the code host knows of no checks, as on
             *     `local`.
             * @enum {string}
             */
            state: "pending" | "passed" | "failed" | "none";
            /** @description How many there are, of the first 100 of each kind. */
            total: number;
            failed: number;
            /** @description The page of the first item. */
            url: string | null;
            /** @description Those that failed first, then those that are not done. */
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
         * @description What people call it, one line. No other automation of the project has it, whatever the case.
         * @example Changelog
         */
        AutomationName: string;
        /**
         * @description The branch of each job's commits, instead of `<branch prefix>/<job id>`. Every job takes a new one: `{run}` stands for the number
         *     of the run (1, 2, 3 …) and has to be in it. A number whose branch another job has is left out.
         * @example docs/changelog-{run}
         */
        BranchPattern: string;
        NewAutomation: {
            /** @description One of your own, such as the one that it has at the hosted service. Absent, Docent makes one. */
            id?: components["schemas"]["AutomationId"];
            name: components["schemas"]["AutomationName"];
            /** @description The instruction for the agent, not blank. */
            prompt: string;
            mode?: components["schemas"]["JobMode"];
            /** @description The branch to start from, and that pull requests are to be merged into, instead of the project's base branch. */
            ref?: components["schemas"]["BranchName"];
            branch?: components["schemas"]["BranchPattern"];
            /** @description The model to work with. Absent, the project's when the job is created. */
            model?: components["schemas"]["ModelId"];
            effort?: components["schemas"]["Effort"];
            /** @description Whether pull requests are opened as drafts, instead of what the project says. */
            draft?: boolean;
            /** @description The title of its jobs and their pull requests, as that of a new job. */
            title?: string;
            /** @description What each of its jobs may take in all. */
            budget?: components["schemas"]["JobBudget"];
            /** @description The metadata of each of its jobs, as those of a new job. */
            metadata?: components["schemas"]["JobMetadata"];
            /** @description Who is told of each of its jobs, beside the project's webhooks. */
            webhook?: components["schemas"]["JobWebhook"];
            /**
             * @description Whether it can be triggered.
             * @default true
             */
            enabled: boolean;
            trigger?: components["schemas"]["Trigger"];
            /** @description Whether a run continues the open pull request of an earlier run. Otherwise, each run has a job of its own. Absent, true. */
            foldIntoOpenPullRequest?: boolean;
            /** @description How many runs may start on one day (UTC). Events beyond it are skipped. */
            maxRunsPerDay?: number;
            /** @description Minutes between the starts of two runs. Events within them are skipped. */
            cooldownMinutes?: number;
        };
        /**
         * @description What starts runs. Absent: calls of the API alone. `schedule`: five cron fields in a time zone, at least 15 minutes between two
         *     occurrences. `webhook`: deliveries to `POST /v1/hooks/{automationId}`.
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
            /** @description Each run starts up to this many minutes late, by chance. Absent, 0. */
            jitterMinutes?: number;
            /**
             * @description What happens to occurrences that were missed while everything was down. Absent, `one` run makes up for all.
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
        };
        /**
         * @description `queued`: waits for the run before it, or for the project's limits. `running`. `review_needed`: its pull request is open, or its
         *     change or question waits for an answer. `accepted` and `closed`: what became of the pull request; `closed` also stands for a
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
             * @description `disabled`, `paused` (after three failures in a row), `filtered`, `cap` (`maxRunsPerDay`), `cooldown`, or `missed` (an
             *     occurrence of a schedule that came too late).
             * @enum {string|null}
             */
            skippedBecause: "disabled" | "paused" | "filtered" | "cap" | "cooldown" | "missed" | null;
            /** @description What started the run. */
            cause: {
                /** @enum {string} */
                type: "api" | "schedule" | "webhook";
                source: string;
                /** @description The id of the delivery, the time of the schedule, or the Idempotency-Key. */
                deliveryId: string | null;
                /** @description Who called, or the kind of event as its sender names it. */
                actor: string | null;
            };
            /** @description How many events the run stands for. */
            events: number;
            /** @description What the run was given beside its prompt; null where that is nothing. */
            material: {
                characters: number;
                /** @description Whether some of it was left out. */
                cut: boolean;
            } | null;
            /** @description The job of the run, which may have been deleted meanwhile. */
            jobId: components["schemas"]["JobId"] | null;
            /** @description The pull request of the run. */
            pullRequest: {
                id: string;
                link: string | null;
                /** @enum {string} */
                state: "open" | "merged" | "closed";
            } | null;
            /** @description What the model took for the run; null until the run has ended. */
            usage: {
                modelCalls: number;
                inputTokens: number;
                cachedInputTokens: number;
                outputTokens: number;
                costUsd: number | null;
            } | null;
            /** @description What came of the run, or why nothing did. */
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
        AutomationChange: {
            name?: components["schemas"]["AutomationName"];
            prompt?: string;
            mode?: components["schemas"]["JobMode"] | null;
            ref?: components["schemas"]["BranchName"] | null;
            branch?: components["schemas"]["BranchPattern"] | null;
            model?: components["schemas"]["ModelId"] | null;
            effort?: components["schemas"]["Effort"] | null;
            draft?: boolean | null;
            title?: string | null;
            budget?: components["schemas"]["JobBudget"] | null;
            metadata?: components["schemas"]["JobMetadata"] | null;
            webhook?: components["schemas"]["JobWebhook"] | null;
            /** @description `true` also ends a pause. */
            enabled?: boolean;
            trigger?: components["schemas"]["Trigger"];
            /** @description Whether a run continues the open pull request of an earlier run. Otherwise, each run has a job of its own. */
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
            mode: components["schemas"]["JobMode"];
            /** @description The base branch of its jobs, null where they go by the project's. */
            ref: string | null;
            /** @description The pattern of its jobs' branches, null where Docent names them. */
            branch: string | null;
            /** @description The model of its jobs, null where they go by the project's. */
            model: string | null;
            /** @enum {string|null} */
            effort: "low" | "medium" | "high" | null;
            /** @description Null where its jobs go by the project. */
            draft: boolean | null;
            /** @description The title of its jobs, null where each gets its own. */
            title: string | null;
            /** @description What each of its jobs may take in all, or null. A part that was not given is null. */
            budget: {
                tokens: number | null;
                usd: number | null;
            } | null;
            metadata: components["schemas"]["JobMetadata"];
            /** @description Who is told of each of its jobs; null where nobody is. */
            webhook: {
                url: string;
                events: components["schemas"]["WebhookEvents"];
                /** @description Whether its messages carry a signature. */
                signed: boolean;
            } | null;
            /** @description Whether it can be triggered. */
            enabled: boolean;
            trigger: components["schemas"]["Trigger"];
            /** @description The trigger in words. */
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
            /** @description Its last job, which may have been deleted meanwhile. */
            lastJobId: components["schemas"]["JobId"] | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When somebody last changed it. Runs do not.
             */
            updatedAt: string;
        };
        AutomationPage: {
            automations: components["schemas"]["Automation"][];
            nextCursor: components["schemas"]["NextCursor"];
        };
        AutomationTrigger: {
            /**
             * @description What this run is about, for the agent: a text, or an object that it is shown as JSON, of at most 16,384 characters. It is
             *     material to work with, and gives the agent no instructions, whatever it says.
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
         * @description Where messages go, by POST. Without user info. Addresses outside the internet are refused unless the operator lists them in
         *     `DOCENT_PRIVATE_HOSTS`. No redirect is followed.
         * @example https://example.com/hooks/docent
         */
        WebhookUrl: string;
        /** @enum {string} */
        WebhookEvent: "job.completed" | "job.failed" | "job.archived" | "pull_request.opened" | "pull_request.updated" | "pull_request.merged" | "pull_request.closed" | "budget.reached" | "automation.paused";
        /** @description What it is told of. */
        WebhookEvents: components["schemas"]["WebhookEvent"][];
        /** @description What messages are signed with, `whsec_` and 24 to 64 bytes in base64. */
        WebhookSecret: string;
        NewWebhook: {
            url: components["schemas"]["WebhookUrl"];
            /** @description What it is told of. Absent, all that there is now. */
            events?: components["schemas"]["WebhookEvents"];
            /** @default  */
            description: string;
            /** @default true */
            enabled: boolean;
            /** @description One of your own, `whsec_` and 24 to 64 bytes in base64. Absent, Docent makes one. */
            secret?: components["schemas"]["WebhookSecret"];
        };
        /** @description Who is told of this job alone, beside the project's webhooks. */
        JobWebhook: {
            url: components["schemas"]["WebhookUrl"];
            /** @description What it is told of. Absent, all that there is now. */
            events?: components["schemas"]["WebhookEvents"];
            /** @description What its messages are signed with. Absent, they carry no signature. */
            secret?: components["schemas"]["WebhookSecret"];
        };
        WebhookChange: {
            url?: components["schemas"]["WebhookUrl"];
            events?: components["schemas"]["WebhookEvents"];
            description?: string;
            enabled?: boolean;
        };
        Webhook: {
            id: string;
            /** @description The job that brought it; null for one of the whole project. */
            jobId: string | null;
            /** @description Of a job's, without its query. */
            url: string;
            events: components["schemas"]["WebhookEvents"];
            description: string;
            enabled: boolean;
            /** @description Why Docent switched it off, in a sentence; null where it is on, or a person did. */
            disabledReason: string | null;
            /** @description Whether its messages carry a signature. False only for a job's that came without a secret. */
            signed: boolean;
            /**
             * Format: date-time
             * @description Until when messages are signed with the secret before, too.
             */
            previousSecretUntil: string | null;
            /**
             * Format: date-time
             * @description Since when every attempt has failed; null after one that did not. After three days it is switched off.
             */
            failingSince: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description The webhook, and its secret. */
        CreatedWebhook: components["schemas"]["Webhook"] & {
            /** @description The secret. Null when the answer is a replay. */
            secret: string | null;
        };
        WebhookList: {
            webhooks: components["schemas"]["Webhook"][];
        };
        /**
         * @description `pending`: it waits for its first or next attempt. `delivered`: an attempt was answered 2xx. `failed`: no more attempts are made.
         * @enum {string}
         */
        DeliveryState: "pending" | "delivered" | "failed";
        WebhookDelivery: {
            /** @description The `webhook-id` of the message, the same in every attempt. */
            id: string;
            /** @description An event, or `ping`. */
            type: string;
            state: components["schemas"]["DeliveryState"];
            /** @description Why no more attempts are made, in a sentence. */
            problem: string | null;
            /** @description Attempts so far. One whose process died is counted, and is not in the log. */
            attempts: number;
            /** @description The status that the newest attempt was answered with; null where there was no answer. */
            lastStatus: number | null;
            /**
             * Format: date-time
             * @description Null for the first attempt, which is due at once, and where there is no next one.
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
            /** @description Of the answer; null where none came. */
            status: number | null;
            /** @description Why it does not count as delivered, in a sentence. */
            problem: string | null;
            /** @description The first kilobyte of the answer's body. */
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
             * @description `projectId`, and what the type is about, as it was then: `job` as `GET …/job/{id}` shows it (`job.*`, `budget.reached`), but
             *     with `Job` and its id for a `title` where the client gave none,
             *     `pullRequest` as `GET …/pull-request` shows it (`pull_request.*`), `budget` with `name` (`jobTokens`, `jobUsd`, `dayTokens`
             *     or `dayUsd`) and `limit` (`budget.reached`), `automation` with `id`, `name` and `reason` (`automation.paused`). More may come.
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
            };
        };
        /**
         * @description The operator's name for a code host. `local` is the server's own machine.
         * @example github
         */
        HostId: string;
        /**
         * @description `gitea` stands for Forgejo too.
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
             * @description What people see in the browser: the URLs of its repositories begin with it. Absent, `https://github.com` or
             *     `https://gitlab.com`; a Gitea always needs one.
             */
            url?: components["schemas"]["HttpAddress"];
            /** @description Where its API is, if not at the usual place below `url`. */
            apiUrl?: components["schemas"]["HttpAddress"];
            /** @description The id of a GitHub App. Then the credential is its private key. */
            appId?: string | null;
            credential: components["schemas"]["Credential"];
        };
        HostChange: {
            credential: components["schemas"]["Credential"];
        };
        Host: {
            id: string;
            kind: components["schemas"]["HostKind"];
            url: string;
            apiUrl: string;
            /** @description Null where the credential is a token. */
            appId: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the credential was entered last.
             */
            updatedAt: string;
        };
        HostCheck: {
            ok: boolean;
            /** @description Whose credential it is. */
            account: string | null;
            /** @description What is wrong or lacking, in sentences. Empty if `ok`. */
            problems: string[];
        };
        CheckedHost: components["schemas"]["Host"] & {
            /** @description Whose credential it is. */
            account: string | null;
        };
        NewProject: {
            id: components["schemas"]["ProjectId"];
            repository: components["schemas"]["Repository"];
            /** @description The code host, where several have repositories with such URLs. */
            host?: components["schemas"]["HostId"];
            /** @description The base branch. Null or absent, the repository's own default. */
            ref?: components["schemas"]["BranchName"] | null;
            docsDir?: components["schemas"]["DocsDir"];
            model?: components["schemas"]["OwnModel"];
            settings?: components["schemas"]["ProjectSettings"];
        };
        RepositoryToCheck: {
            repository: components["schemas"]["Repository"];
            /** @description The code host, where several have repositories with such URLs. */
            host?: components["schemas"]["HostId"];
            /** @description The base branch. Null or absent, the repository's own default. */
            ref?: components["schemas"]["BranchName"] | null;
            docsDir?: components["schemas"]["DocsDir"];
        };
        RepositoryCheck: {
            /** @description Whether a project can be made of it. */
            usable: boolean;
            /** @description Why not, in a sentence; null where it is usable. */
            problem: string | null;
            /** @description The code host; null where none fits. */
            host: string | null;
            /** @description As it was found, which may be another name than was asked for. */
            repository: string;
            /** @description The base branch that a project would have, the default one where none was asked for. Null where it is not usable. */
            ref: string | null;
            /** @description The commit that was looked at. */
            commit: string | null;
            /** @description The folder that the site's pages start from, as a `docsDir`; empty for the whole repository. Null where no site is known. */
            suggestedDocsDir: string | null;
            /** @description What makes a site of the docs. Null where that was not told in time. */
            site: components["schemas"]["FoundSite"] | null;
            /** @description What the agent would be told of the repository's own instructions, such as `AGENTS.md`. Null as `site`. */
            instructions: components["schemas"]["InstructionFile"][] | null;
            /** @description What the docs checks see. Null where there are too many pages for the time. */
            checks: components["schemas"]["SiteChecks"] | null;
            /** @description What could not be told, and why, in sentences. */
            notes: string[];
        };
        SiteChecks: {
            /** @description Pages that were read. */
            pages: number;
            /** @description Of those, how many have no `description` in their front matter. */
            pagesWithoutDescription: number;
            /** @description By kind, the severest first, then the most frequent. */
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
            /** @description The model of the project's new jobs, which the prompts are written for. */
            model: string;
            /** @description Whether the analytics could be asked. If not, what rests on readers is missing. */
            readersKnown: boolean;
        };
        Suggestion: {
            /** @enum {string} */
            kind: "broken-link" | "docs-problems" | "missing-descriptions" | "popular-page";
            title: string;
            prompt: string;
            evidence: {
                /** @description The page, as readers sent it, cleaned; null where it is about several. */
                path: string | null;
                /** @description How often the page was asked for or viewed by people in the last 30 days; or how many problems, or pages, there are. */
                count: number;
            };
        };
        ProjectChange: {
            repository?: components["schemas"]["Repository"];
            /** @description The code host, where several have repositories with such URLs. Without `repository`, the same URL on that one. */
            host?: components["schemas"]["HostId"];
            ref?: components["schemas"]["BranchName"];
            docsDir?: components["schemas"]["DocsDir"];
            model?: components["schemas"]["OwnModel"];
            settings?: components["schemas"]["ProjectSettings"];
        };
        /** @description The project's own model. Null or absent: the installation's, whatever that is when a job is created. */
        OwnModel: components["schemas"]["ModelId"] | null;
        InstallationModel: {
            /** @description The model of projects that name none. */
            model: string;
            /**
             * @description `environment`: `DOCENT_MODEL` of the server, which goes before all. `setting`: it was set. `default`: nobody has said anything.
             * @enum {string}
             */
            from: "environment" | "setting" | "default";
        };
        TestedModel: {
            model: string;
            /** @description It answered, and called the tool. */
            ok: boolean;
            /** @description A code of failed jobs, such as `model_key`, `model_unknown` or `model_unavailable`; or `model_no_tool_call`. Null if `ok`. */
            code: string | null;
            /** @description A sentence that says what is wrong and what to do. Null if `ok`. */
            message: string | null;
            /** @description How long the answer took. Null without one, as are the others. */
            ms: number | null;
            inputTokens: number | null;
            outputTokens: number | null;
            /** @description Null also where the model's price is not known. */
            costUsd: number | null;
        };
        ProjectInstructions: {
            /** @description The base branch. */
            ref: string;
            /** @description The commit that was looked at. */
            commit: string;
            /** @description Characters that the agent is told with every step, of all files together. */
            toldCharacters: number;
            /** @description Those that the agent is told, in that order, and those that it is not. */
            files: components["schemas"]["InstructionFile"][];
        };
        InstructionFile: {
            path: string;
            /**
             * @description What it is told as.
             * @enum {string}
             */
            role: "instructions" | "styleGuide";
            /** @description Its length, without what readers do not see. Null where it cannot be read. */
            characters: number | null;
            /** @description How much of it is told; 0 for nothing. */
            toldCharacters: number;
            /** @description Why it is told, cut or left out. */
            why: string;
            /** @description The project's settings name it, and it cannot be read. */
            missing: boolean;
        };
        Project: {
            id: components["schemas"]["ProjectId"];
            /**
             * @description The code host's name. `local` is the server's own machine.
             * @example local
             */
            host: string;
            /** @description The repository's URL, or its absolute path on the server's machine. */
            repository: string;
            /** @description The repository as jobs show it in `source.repository`. */
            repositoryUrl: string;
            /** @description The base branch, to which pull requests go. */
            ref: string;
            /** @description The folder that the agent may change; empty for the whole repository. */
            docsDir: string;
            /** @description The model of new jobs. */
            model: string;
            /**
             * @description Whether the project names it or follows the installation's.
             * @enum {string}
             */
            modelFrom: "project" | "installation";
            settings: components["schemas"]["CompleteProjectSettings"];
            /** @description For how long visitors keep one id, oldest first. */
            analyticsSalts: {
                /** @enum {string} */
                policy: "fixed" | "monthly" | "daily";
                /**
                 * Format: date
                 * @description The first day (UTC) of events that the policy is for. Null is the beginning.
                 */
                from: string | null;
            }[];
            /**
             * @description What was found to make a site of the docs: in the answers that make a project, or that change its repository, base branch
             *     or `settings.site`. Null where the repository could not be looked into in time.
             */
            site?: components["schemas"]["FoundSite"] | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        FoundSite: {
            /**
             * @description What makes the site; `plain` for Markdown that no generator is known for.
             * @enum {string}
             */
            kind: "docs.json" | "mint.json" | "docusaurus" | "vitepress" | "mkdocs" | "mdbook" | "starlight" | "hugo" | "plain";
            /** @description Path of the configuration in the repository. */
            config: string | null;
            /** @description The folder that the site's pages start from; empty for the whole repository. */
            folder: string;
            /** @description The site's pages in `docsDir`. */
            pages: number;
            /** @description A sentence where it is not sure what makes the site. `settings.site` says it then. */
            unsure: string | null;
            /** @description Configurations of other sites in the repository. */
            candidates: string[];
            /** @description A sentence where the folder `docsDir` is missing or has no page. Absent where it is fine. */
            docsFolder?: string;
        };
        ProjectPage: {
            projects: components["schemas"]["Project"][];
            nextCursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description The URL of a repository on a code host, or the absolute path of one on the server's machine, bare or not.
         * @example https://github.com/acme/docs
         * @example /srv/git/docs.git
         */
        Repository: string;
        /**
         * @description A branch's name as git takes it, without `refs/heads/`.
         * @example main
         */
        BranchName: string;
        /**
         * @description A folder inside the repository, with `/` between its parts; the agent changes nothing outside. Empty: the whole
         *     repository. No part may be `.`, `..` or `.git`.
         * @example docs
         */
        DocsDir: string;
        /**
         * @description A model of new jobs: `builtin`, or a provider and its model.
         * @example builtin
         * @example anthropic/claude-sonnet-5
         */
        ModelId: string;
        Collected: {
            /** @description Always 1. */
            accepted: number;
        };
        /** @description What differs from the installation's defaults. Null goes back to the default. */
        ProjectSettings: {
            /**
             * @description What makes a site of the docs, where Docent would not find it by itself or several could be meant: the path of its configuration in the repository, or the folder that has it; `plain` for files that people read on their code host. Null: what Docent finds.
             * @example website/docusaurus.config.js
             */
            site?: string | null;
            /**
             * @description Files that ask something of agents, by their paths in the repository, in place of those that Docent finds by their names, such as `AGENTS.md`. Empty: none. A file that is not on the base branch is refused. Null: what Docent finds.
             * @example [
             *       "docs/AGENTS.md"
             *     ]
             */
            instructionFiles?: string[] | null;
            /**
             * @description Files that say how the team writes: style guide, terms, by their paths in the repository, in place of those that Docent finds by their names. Empty: none. A file that is not on the base branch is refused. Null: what Docent finds.
             * @example [
             *       "docs/style-guide.md"
             *     ]
             */
            styleGuides?: string[] | null;
            /** @description First part of the names of branches: `<branchPrefix>/<job id>`. Nothing else is ever pushed, but for new branches that jobs are created with, and `allowPush`. Null: `DOCENT_BRANCH_PREFIX` (`docent`). */
            branchPrefix?: string | null;
            /** @description Days without a message after which a finished job is archived. Null: `DOCENT_ARCHIVE_AFTER_DAYS` (`30`). */
            archiveAfterDays?: number | null;
            /** @description Jobs of the project that are worked on at once. What comes above that waits. A lower number ends nothing that runs. Null: `DOCENT_PROJECT_CONCURRENT_JOBS` (`10`). */
            concurrentJobs?: number | null;
            /** @description Tokens, read and written, that one job may spend on its model. It stops before the next step and keeps what it changed. Null: `DOCENT_BUDGET_JOB_TOKENS` (no limit). */
            budgetJobTokens?: number | null;
            /** @description US dollars that one job may cost. Null: `DOCENT_BUDGET_JOB_USD` (no limit). */
            budgetJobUsd?: number | null;
            /** @description Tokens that all jobs of the project may take in a day (UTC). Null: `DOCENT_BUDGET_DAY_TOKENS` (no limit). */
            budgetDayTokens?: number | null;
            /** @description US dollars that all jobs of the project may cost in a day (UTC). Null: `DOCENT_BUDGET_DAY_USD` (no limit). */
            budgetDayUsd?: number | null;
            /**
             * @description The sites whose page script may send views: hosts with or without scheme and port, or `*.` and a domain for all its subdomains. Localhost and previews only count where they are named exactly. Null: every public site.
             * @example [
             *       "docs.example.com",
             *       "*.example.org"
             *     ]
             */
            analyticsOrigins?: string[] | null;
            /** @description Whether pull requests open as drafts. Null: no. */
            draft?: boolean | null;
            /** @description Whether jobs may push straight to the base branch, with `mode: push`. Where it is off, they are refused. Null: no. */
            allowPush?: boolean | null;
            /**
             * @description Labels of new pull requests, where the repository has them. Null: none.
             * @example [
             *       "docs"
             *     ]
             */
            labels?: string[] | null;
            /**
             * @description Account names of people who are asked to review new pull requests. Null: none.
             * @example [
             *       "octocat"
             *     ]
             */
            reviewers?: string[] | null;
            /**
             * @description What looks like a secret and may be published all the same, such as a key of an example: ids, as the message of a job names them. An id is the first 16 hexadecimal digits of the SHA-256 of the value. Null: none.
             * @example [
             *       "9f86d081884c7d65"
             *     ]
             */
            allowedSecrets?: string[] | null;
            /** @description Days that page views are kept. 0 is for ever. Older days are deleted within minutes, and do not come back when the number is raised. Null: `DOCENT_ANALYTICS_RETENTION_DAYS` (forever). */
            analyticsRetentionDays?: number | null;
            /**
             * @description For how long a visitor keeps one id: for ever (`fixed`), within a calendar month (`monthly`) or within a day (UTC, `daily`). The last policy that was set. In force for events of the day after tomorrow and later (`analyticsSalts` says from which day); for a project without events at once. Ids that were given stay. Seven days after the end of a period its salt is destroyed, and events of it are refused. Null: `fixed`.
             * @enum {string|null}
             */
            analyticsSaltPolicy?: "fixed" | "monthly" | "daily" | null;
            /** @description The classes of visitors that count as human. The counts are recomputed by the next maintenance, within minutes; until then every answer is that of the mapping before, and says so in `mapping`. Null: `["human"]`. */
            analyticsHumanClasses?: ("human" | "assistant" | "search" | "training" | "other")[] | null;
            /**
             * @description The classes that count as AI. No class can be both. Null: `["assistant"]`.
             * @example [
             *       "assistant",
             *       "search"
             *     ]
             */
            analyticsAiClasses?: ("human" | "assistant" | "search" | "training" | "other")[] | null;
        };
        /** @description Every setting. Null where the default holds. */
        CompleteProjectSettings: WithRequired<components["schemas"]["ProjectSettings"], "site" | "instructionFiles" | "styleGuides" | "branchPrefix" | "archiveAfterDays" | "concurrentJobs" | "budgetJobTokens" | "budgetJobUsd" | "budgetDayTokens" | "budgetDayUsd" | "analyticsOrigins" | "draft" | "allowPush" | "labels" | "reviewers" | "allowedSecrets" | "analyticsRetentionDays" | "analyticsSaltPolicy" | "analyticsHumanClasses" | "analyticsAiClasses">;
        /** @enum {string} */
        KeyScope: "read" | "write" | "events" | "analytics";
        Caller: {
            /**
             * @description `person` is a browser that is signed in, whoever it is.
             * @enum {string}
             */
            kind: "operator" | "key" | "token" | "person";
            /** @description The key; null for the operator and for a token. */
            key: components["schemas"]["Key"] | null;
            /** @description The token; null for the operator and for a key. */
            token: components["schemas"]["Token"] | null;
            /** @description Who is signed in; null where there is no session. */
            person: components["schemas"]["SignedIn"] | null;
            /** @description What each project takes, whoever calls. */
            limits: {
                /** @description New jobs. */
                jobsPerHour: number;
                /** @description Follow-up messages. */
                messagesPerHour: number;
            };
            /**
             * @description Of the server.
             * @example 0.1.0
             */
            version: string;
        };
        /** @enum {string} */
        Role: "viewer" | "editor" | "admin";
        SignedIn: {
            /** @description Null for the operator, who came in with the operator token or a link. */
            id: string | null;
            /** @description As the identity provider gives it; `Operator` for the operator. */
            name: string | null;
            email: string | null;
            role: components["schemas"]["Role"];
            /** @description The projects that the role is for; null for all. */
            projectIds: components["schemas"]["ProjectId"][] | null;
            sessionId: string;
            /**
             * Format: date-time
             * @description When this browser has to sign in again at the latest.
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
            /** @description Where it was signed in from; null where that was no address. */
            address: string | null;
            /** @description What the browser calls itself, cut short. */
            userAgent: string | null;
        };
        SignInLink: {
            /**
             * Format: uri
             * @description To be opened in the browser, once. It holds a secret.
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
            /** @description Null where the provider has not verified it. */
            email: string | null;
            /** @enum {string} */
            role: "viewer" | "editor" | "admin";
            /** @description The projects that the role is for; null for all. */
            projectIds: string[] | null;
            /** @description Whether role and projects are read again at each sign-in. `false` where they were set by hand. */
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
            /** @description The projects that the role is for; null for all. */
            projectIds?: components["schemas"]["ProjectId"][] | null;
            /** @description True lets the provider decide about role and projects again, from the next sign-in on. Not with `role` or `projectIds`. */
            roleFromProvider?: boolean;
            disabled?: boolean;
        };
        SignInWays: {
            /** @description The identity provider that people sign in with; null where none is set. */
            openIdConnect: {
                /** @description What a button says. */
                name: string;
                /** @description Where a browser goes to sign in, a path of this server. */
                url: string;
            } | null;
            /** @description Whether the browser that asks is signed in. */
            signedIn: boolean;
        };
        /** @description One of the two. */
        NewSignIn: {
            /** @description What stands behind `#link=` in a link that signs in. */
            link?: string;
            operatorToken?: string;
        };
        NewToken: {
            /** @description The project that the token opens, one of the key's. */
            projectId: components["schemas"]["ProjectId"];
            /**
             * @description What it may do, nothing that the key may not. `write` includes `read`.
             * @default [
             *       "read"
             *     ]
             */
            scopes: components["schemas"]["KeyScope"][];
            /**
             * @description The one job that it opens, with its events; null for all of the project.
             * @default null
             */
            jobId: components["schemas"]["JobId"] | null;
            /**
             * @description The origin whose pages alone may use it, one of `DOCENT_ALLOWED_ORIGINS`; null for any caller. Browsers tell the truth about
             *     their pages' origin; other programs need not.
             * @default null
             * @example https://app.example.com
             */
            origin: string | null;
            /**
             * @description Its life, at most an hour.
             * @default 900
             */
            expiresInSeconds: number;
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
             * @description The token, to be sent like a key. Null when the answer is a replay.
             * @example docenttok_V7dk0f3kPq9sXw2mBn5cJt8rLz1yHa4eGuQ6oI
             */
            token: string | null;
        };
        NewKey: {
            /** @description What the key is for, to recognise it by. One line, without control characters. */
            name: string;
            /** @description The projects that the key opens; null for all, also those to come. */
            projectIds: components["schemas"]["ProjectId"][] | null;
            /**
             * @description `read` (every GET), `write` (includes all others), `events` (sending page views), `analytics` (reading analytics).
             * @default [
             *       "read"
             *     ]
             */
            scopes: components["schemas"]["KeyScope"][];
            /**
             * @description Null for a key that does not expire.
             * @default 90
             */
            expiresInDays: number | null;
            /**
             * @description The addresses or CIDR ranges that may use the key; null for any. A range of all addresses (`/0`) is refused.
             * @default null
             * @example [
             *       "203.0.113.7",
             *       "10.0.0.0/8",
             *       "2001:db8::/32"
             *     ]
             */
            allowedAddresses: string[] | null;
        };
        KeyChange: {
            /** @description One line, without control characters. */
            name?: string;
            /** @description From now; null for never. */
            expiresInDays?: number | null;
            /** @description As in `POST /v1/keys`; null for any. */
            allowedAddresses?: string[] | null;
        };
        KeyRotation: {
            /**
             * @description How long what the key was before stays valid, at most 30 days.
             * @default 86400
             */
            overlapSeconds: number;
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
             * @description The last use of any of its secrets, to the minute.
             */
            lastUsedAt: string | null;
            /**
             * @description The secret that the key has, first, and those that it had before it was rotated, newest first, as long as they are
             *     valid and 30 days more.
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
            /** @description The key. Null when the answer is a replay. */
            key: string | null;
        };
        KeyPage: {
            keys: components["schemas"]["Key"][];
            nextCursor: components["schemas"]["NextCursor"];
        };
        AuditActor: {
            /**
             * @description `operator`: with the operator token. `key`: with an API key. `token`: with a short-lived token that was made from a key. `person`:
             *     signed in. `anonymous`: nobody that is known. `upkeep`: Docent itself, that removed what is kept no longer.
             * @enum {string}
             */
            kind: "operator" | "key" | "token" | "person" | "anonymous" | "upkeep";
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
            /** @description The `operationId` in this contract. Of `upkeep`: `removeJobs`, `removeTranscripts`, `removeJobEvents` or `removeAuditEntries`. */
            operation: string;
            projectId: string | null;
            /** @description The other ids in the path, by name. Of `upkeep`, how many were `removed`, and the `keepDays` by which they were. */
            target: {
                [key: string]: string;
            };
            /** @description The names of the fields that were sent. */
            changed: string[];
            /** @description The id of what was made. */
            createdId: string | null;
            /** @description Where the request came from, seen through the trusted proxies. */
            address: string | null;
            /** @description As it was sent, on one line and of 300 characters at most. */
            userAgent: string | null;
            /** @description The `X-Request-Id` of the answer, which the lines of the log have, too. */
            requestId: string;
            /** @description The status of the answer; null where it is not known (yet). */
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
         * @description `contextual`: of a page, with words; `thumbs_only`: of a page, without; `code_snippet`: of code on it; `agent`: of an AI agent.
         * @enum {string}
         */
        FeedbackSource: "code_snippet" | "contextual" | "agent" | "thumbs_only";
        /** @description `helpful` and `contact` are there for `contextual`, `helpful` for `thumbs_only`, `code`, `filename` and `lang` for `code_snippet`. */
        Feedback: {
            id: string;
            path: string;
            /** @description Plain text of a stranger. */
            comment: string | null;
            /** Format: date-time */
            createdAt: string | null;
            source: components["schemas"]["FeedbackSource"];
            /** @enum {string} */
            status: "pending" | "in_progress" | "resolved" | "dismissed";
            helpful?: boolean;
            /** @description An e-mail address that the reader gave. */
            contact?: string | null;
            code?: string;
            filename?: string | null;
            lang?: string | null;
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
            /** @description Either, whoever is both counting once. */
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
         * @description Which classes this answer counts as human, and which as AI. After a change of the project's settings it is the one before
         *     until the counts have been recomputed.
         */
        ClassMapping: {
            human: components["schemas"]["VisitorClass"][];
            ai: components["schemas"]["VisitorClass"][];
        };
        /** @description What the answer was counted on. Send it as `version` to ask more about the same. */
        DataVersion: number;
        /** @description Whether there are rows beyond this page. */
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
            }[];
            classes: {
                class: components["schemas"]["VisitorClass"];
                visitors: number;
                views: number;
            }[];
            version: components["schemas"]["DataVersion"];
        };
        LiveVisitors: {
            /**
             * Format: date-time
             * @description The end of the five minutes.
             */
            asOf: string;
            /** @description For so long an event that was taken may be missing. */
            delaySeconds: number;
            visitors: components["schemas"]["Counts"];
            views: components["schemas"]["Counts"];
            /** @description The five minutes, the oldest first. */
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
                host: string;
                visitors: number;
                views: number;
            }[];
            hasMore: components["schemas"]["HasMore"];
            version: components["schemas"]["DataVersion"];
        };
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
         * @description `human`; `assistant`: an AI assistant or agent that reads on someone's behalf; `search`, `training`: crawlers; `other`: other
         *     programs.
         * @enum {string}
         */
        VisitorClass: "human" | "assistant" | "search" | "training" | "other";
        EventBatch: {
            events: components["schemas"]["Event"][];
        };
        /**
         * @description A page view. It needs `path` or `url`, and `visitorId` or `ip` with `userAgent`. The address is used for the visitor's id and
         *     written nowhere.
         */
        Event: {
            /** @description Stands for the event. On one UTC day, each id counts once, whatever else the events say. */
            id?: string | null;
            /** @description A date-time of RFC 3339, or milliseconds since 1970. From the year 2000 to a day from now. Kept to the millisecond. */
            timestamp: string | number;
            /**
             * @description Of the page, with or without its query. Decoded and without the query, it has at most 2,048 bytes of UTF-8 and no control
             *     characters.
             */
            path?: string | null;
            /** @description Instead of `path`. */
            url?: string | null;
            /** @description Your own name for the reader. A keyed hash of it is stored, and the name is not. */
            visitorId?: string | null;
            /** @description An IP address. Brackets and a port are left out, and of a list, as in `X-Forwarded-For`, the first one counts. */
            ip?: string | null;
            /** @description Of longer ones the first 1024 characters are kept. Empty, or `-`, where the client sent none. */
            userAgent?: string | null;
            /** @description Said by the sender, it is believed. Otherwise it is worked out from the user agent. */
            class?: components["schemas"]["VisitorClass"] | null;
            /**
             * @description Whether the page was read as Markdown. Without it, the path says so.
             * @enum {string|null}
             */
            format?: "html" | "md" | null;
            /** @description A URL, of which the host is kept. */
            referrer?: string | null;
            /** @description The page does not exist: no page view, but a broken link. */
            notFound?: boolean | null;
        };
        Ingested: {
            /** @description Events that are on disk now. */
            accepted: number;
            /**
             * @description Repeats that were recognised at once: in the request itself, and among the last 200,000 events that this process took.
             *     Others are recognised later, and count once all the same.
             */
            duplicates: number;
            /** @description Which events were not taken, and why. The first 1,000 of them. */
            rejected: {
                /** @description The position of the event in the request, from 0. */
                index: number;
                error: string;
            }[];
            /** @description How many events were not taken. */
            rejectedCount: number;
        };
        /** @description The error, and once the body was begun, what was taken of it before. */
        IngestError: components["schemas"]["Error"] & {
            /** @description Events that are on disk now. */
            accepted?: number;
            /** @description Repeats that were recognised at once. */
            duplicates?: number;
            rejected?: {
                /** @description The position of the event in the request, from 0. */
                index: number;
                error: string;
            }[];
            rejectedCount?: number;
            /**
             * @description The position in the request, from 0 and not counting empty lines, of the first event that was not taken. With ids or an
             *     `Idempotency-Key`, send the whole request again; without, the events from this one on.
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
            /** @description Whether the analytics folder is there, and the one of this installation. */
            analyticsFolder: boolean;
            /** @description Whether the bucket of page views can be used. Null where there is none. Where it is false, page views are taken, and wait on the disk of this server. */
            bucket: boolean | null;
            /** @description Files of page views that were found damaged and set aside, until an operator has seen to them with `docent analytics verify`. Null where they could not be counted in time. */
            damagedFiles: number | null;
            /** @description Files with page views that do not count: the database does not know them, and Docent could not take them in. See `docent analytics verify`; `docent analytics recover` takes in those of its project. Null where they could not be counted in time. */
            setAsideFiles: number | null;
        };
        /**
         * @description `degraded`: it works, and something needs a look. `down`: it does not work. `unknown`: it could not be asked in its time.
         * @enum {string}
         */
        HealthStatus: "ok" | "degraded" | "down" | "unknown";
        InstallationHealth: {
            /** @description `ok` where every part is, `down` where Temporal, the database or the disk is, else `degraded`. */
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
        /** @description How long what is over is kept, as the workers' settings say, and how that is carried out. */
        RetentionHealth: {
            status: components["schemas"]["HealthStatus"];
            /** @description A sentence. */
            message: string;
            /** @description Those that a worker has carried out. */
            rules: {
                /**
                 * @description What is removed: `transcripts`, `job_events` (but the last one) and `jobs`, that many days after the job was archived;
                 *     entries of the `audit_log`; histories of workflows that have ended, by `temporal` itself.
                 * @enum {string}
                 */
                rule: "transcripts" | "job_events" | "jobs" | "audit_log" | "temporal";
                /** @description Null: for ever; of `temporal`, not known. */
                keepDays: number | null;
                /** @description What is past its time and still there, of the oldest 10,000. Null where it is not known. */
                waiting: number | null;
                /** @description Of `jobs`, those past their time that stay as a pull request of theirs is open, of the oldest 10,000. */
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
            /** @description Who has asked for tasks of this installation within the last minutes. */
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
            /** @description The newest test that somebody has asked for within 30 days. */
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
            /** @description Events of files that the database did not know and that count again, as after a failover to a replica that was behind. Shown for a quarter of an hour. */
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
            /** @description Up to 20 that fail or were switched off. */
            webhooks: {
                id: string;
                projectId: string;
                host: string;
                /** Format: date-time */
                failingSince: string | null;
            }[];
        };
        /** @description The error, and what is missing. */
        NotReady: components["schemas"]["Error"] & {
            temporal: boolean;
            database: boolean;
            analyticsFolder: boolean;
            /** @description Whether the bucket of page views can be used. Null where there is none. */
            bucket: boolean | null;
            /** @description Parts of a `docent start` that failed again and again. They are tried again every half minute, and the others go on. */
            givenUpParts: {
                /** @description `postgres`, `temporal`, `worker` or `api`. */
                name: string;
                /** @description What happened the last time. */
                reason: string;
            }[];
        };
        Error: {
            /** @description A sentence that says what happened and what to do. */
            error: string;
            code: components["schemas"]["ErrorCode"];
            /** @description As in `X-Request-Id`. */
            requestId: string;
            /** @description The field, query parameter or header that is wrong, such as `settings.labels[2]`. Null where it is none of them. */
            param: string | null;
            /**
             * @description Of a request that does not fit the contract, all that is wrong, at most 20 fields; the first is what `error` says. Of bodies with
             *     more than 1,000 values the first alone. Otherwise empty.
             */
            errors: components["schemas"]["FieldError"][];
            /**
             * @description The path of the page of this server's docs that explains the code, with the anchor on it.
             * @example /docs/reference/errors#bad_request
             */
            docs: string;
        };
        /** @description An error as RFC 9457 has it, for requests whose `Accept` names `application/problem+json`. */
        Problem: components["schemas"]["Error"] & {
            /**
             * Format: uri
             * @description The page of this server's docs that explains the code.
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
            /** @description As in the error. Null for the body as a whole. */
            param: string | null;
            /** @description A sentence. */
            message: string;
            /** @description The rule that is broken, as JSON Schema names it, such as `required`, `type`, `maxLength`, `pattern` or `enum`. */
            code: string;
        };
        /**
         * @description Stable. New codes may be added.
         * @enum {string}
         */
        ErrorCode: "bad_request" | "invalid_json" | "unauthorized" | "forbidden_scope" | "forbidden_address" | "forbidden_host" | "forbidden_origin" | "project_not_found" | "job_not_found" | "key_not_found" | "person_not_found" | "key_revoked" | "host_not_found" | "host_exists" | "host_in_use" | "model_in_environment" | "host_refused" | "pull_request_not_found" | "message_not_found" | "attachment_not_found" | "attachment_in_use" | "attachments_full" | "webhook_not_found" | "delivery_not_found" | "too_many_webhooks" | "webhook_disabled" | "automation_not_found" | "automation_exists" | "too_many_automations" | "automation_disabled" | "run_not_found" | "not_found" | "method_not_allowed" | "request_timeout" | "project_exists" | "project_has_active_jobs" | "job_archived" | "job_not_archived" | "job_not_active" | "job_active" | "nothing_to_publish" | "nothing_to_retry" | "diff_incomplete" | "push_not_allowed" | "pull_request_not_open" | "merge_conflict" | "merge_refused" | "branch_checked_out" | "branch_taken" | "body_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "idempotency_in_progress" | "repository_refused" | "superseded" | "precondition_failed" | "rate_limited" | "version_gone" | "storage_full" | "unavailable" | "internal";
    };
    responses: {
        /** @description The message was received. Any other status but 410 has it sent again. */
        MessageReceived: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The receiver wants no more messages. The webhook is switched off. */
        MessageUnwanted: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `If-None-Match` names the `ETag` of what would be answered. There is no body. */
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
        /** @description The job, as it is now. */
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
        /** @description A browser is sent to the pull request's page, which can be loaded again without doing anything again. */
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
        /** @description `bad_request`, `invalid_json`: the sentence names the field. */
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
        /** @description `bad_request`, `invalid_json`: the sentence names the field. `repository_refused`: it says why. */
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
        /** @description `unauthorized`: no key, or one that is malformed, unknown, revoked or expired. */
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
         * @description `forbidden_scope`: the key or token lacks the route's scope, or who is signed in lacks the role. `forbidden_address`: it may not be used from this address.
         *     `forbidden_host`: the request's `Host` is not a name of this server. `forbidden_origin`: the project takes nothing from
         *     pages of this origin, the token is for pages of another one, or the cookie of a session came from a page of another origin.
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
        /** @description `project_not_found`: there is no such project, or the key does not open it. */
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
        /** @description `project_not_found`: no project can have such an id. */
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
        /** @description `project_not_found`, or `host_not_found` for the `host` that was given. */
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
         * @description `attachment_in_use`: a job's message has it. `attachments_full`: the project's attachments have all the room that they may
         *     have. `idempotency_in_progress`: the first request with this `Idempotency-Key` is still being worked on.
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
        /** @description `bad_request`, `invalid_json`: the sentence names the field. `host_refused`: it says why. */
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
        /** @description The installation's model. */
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
        /** @description `not_found`: the id can be none of a session. */
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
        /** @description `not_found`: the settings name no identity provider. */
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
        /** @description To the identity provider, the page that was wanted, or the page for signing in. */
        ToSignIn: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                /** @description Where to go. */
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
        /** @description `key_revoked`; `idempotency_in_progress` where an `Idempotency-Key` is taken. */
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
        /** @description `automation_exists`: another one has this name. */
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
        /** @description `automation_disabled`: it is disabled, or has paused itself. `branch_taken`: other jobs have the branches of its next runs. `idempotency_in_progress`. */
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
         * @description `pull_request_not_open`, `merge_conflict`, `branch_checked_out`, `merge_refused` (the code host or the repository itself said
         *     no).
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
        /** @description `pull_request_not_open`, `merge_conflict`, `branch_checked_out`, `merge_refused` (the repository itself said no). */
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
        /** @description `version_gone`: what was counted then is not kept any more. Ask again without `version`. */
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
        /** @description `storage_full`: the disk of the server is full. Nothing of the rest of the request was kept. */
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
         * @description `job_archived`, `job_not_active`, `job_not_archived`: the job's state does not allow it. `idempotency_in_progress`: the
         *     first request with this `Idempotency-Key` is still being worked on.
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
         * @description `job_active`, `job_archived`, `nothing_to_retry`: the job's state does not allow it. `idempotency_in_progress`: the first request with this
         *     `Idempotency-Key` is still being worked on.
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
         * @description `job_active`, `job_archived`, `nothing_to_publish`: the job's state does not allow it. `idempotency_in_progress`: the first
         *     request with this `Idempotency-Key` is still being worked on.
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
        /** @description `diff_incomplete`: the change is too large for one patch, or has what looks like a secret. As JSON it is given as far as it is kept. */
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
        /** @description `forbidden_scope`, `forbidden_address`, `forbidden_host`, or `push_not_allowed`: the project has `allowPush` off. */
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
        /** @description `branch_taken`: another job of the project has the `branch` already. `idempotency_in_progress`. */
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
        /** @description `idempotency_in_progress`: the first request with this `Idempotency-Key` is still being worked on. */
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
        /** @description `superseded`: you have asked for another look meanwhile. */
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
        /** @description `precondition_failed`: what `If-Match` names is not what is there now. */
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
        /** @description `unsupported_media_type`: another `Content-Type` than documented, another charset than UTF-8, or an encoding. */
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
        /** @description `rate_limited`: the project has used up its hour; for page views of the page script, the address its minute; for requested webhook messages, the project its minute. Also: too many wrong keys or operator tokens came from the address. A right one is let in all the same. */
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
        /** @description `internal`: a fault of the server. Its log has the details under the request id. */
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
        /** @description `unavailable`: the database, or for a few routes Temporal or every worker, cannot be reached now. */
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
        /** @description The id of the message, the same in every attempt. */
        MessageId: string;
        /** @description When the attempt began, in seconds since 1970. */
        MessageTimestamp: string;
        /**
         * @description `v1,` and the signature in base64, one for each secret, with spaces between them
         *     ([Standard Webhooks](https://www.standardwebhooks.com)). Absent for the webhook of a job without a secret.
         */
        MessageSignature: string;
        /** @description The session's id, as `GET /v1/me/sessions` lists it. */
        SignInId: string;
        /** @description The code host's name. */
        HostId: string;
        /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
        ProjectId: components["schemas"]["ProjectId"];
        /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
        JobId: components["schemas"]["JobId"];
        /** @description The attachment's id. One that the project does not have, or that is no id at all, is 404 `attachment_not_found`. */
        AttachmentId: components["schemas"]["AttachmentId"];
        /** @description The webhook's id, as the list shows it. */
        WebhookId: string;
        /** @description The automation's id, as the list shows it. */
        AutomationId: components["schemas"]["AutomationId"];
        /** @description The delivery's id, which its message carries as `webhook-id`. */
        DeliveryId: string;
        /** @description The unguessable id in the link of a job. */
        PullRequestId: string;
        /** @description Most entries in one answer. */
        Limit: number;
        /** @description The `nextCursor` of the page before, with the same filters. Another one is 400. */
        Cursor: string;
        /**
         * @description Count from this instant on: a date (midnight UTC), or a date-time of RFC 3339 or ISO 8601 (UTC without an offset). Without it, or
         *     empty, from the beginning. These forms are accepted: `2026-11-01`, `2026-11-01T08:30`, `2026-11-01T08:30:15.25`, each time with or
         *     without `Z` or an offset such as `+02:00` or `+02`, and the same without hyphens and colons (`20261101T0830`). `24:00` is the end of
         *     its day. Weeks (`2026-W45`), days of the year (`2026-305`) and parts of dates (`2026-11`) are 400 `bad_request`.
         */
        DateFrom: string;
        /** @description Count up to this instant, which is excluded. Without it, all events count, those included whose clocks were up to a day ahead. The forms are those of `dateFrom`. */
        DateTo: string;
        /** @description Most rows in one answer. */
        RowLimit: number;
        /** @description Rows to skip. */
        RowOffset: number;
        /**
         * @description `true`: every row in one answer. With `Accept: text/csv` alone, and without `limit` and `offset`. A caller may read 4 at a time (429
         *     `rate_limited` above that), and who takes nothing for a minute is let go.
         */
        AllRows: boolean;
        /** @description Count only the views of this page, by its `path` as answers have it. */
        OnlyPath: string;
        /** @description Count only the views of visitors that came from this site, by its `host` as `referrers` has it. */
        OnlyReferrer: string;
        /**
         * @description Count only the views of this agent, by its `agent` as `agents` has it. All of them count in `total`, also where the agent's class
         *     stands outside of the totals.
         */
        OnlyAgent: string;
        /**
         * @description The `version` of an earlier answer: counts what it counted, whatever came since. Kept for at least 15 minutes; 410
         *     `version_gone` after that.
         */
        AnalyticsVersion: number;
        /**
         * @description The `ETag` of what the change or removal is meant for, or several with commas between them. Where it has another one now, nothing is
         *     changed and the answer is 412 `precondition_failed`.
         */
        IfMatch: string;
        /**
         * @description Any text of 1 to 255 printable ASCII characters that is new for each intended change, a UUID say. Kept for 24 hours, per
         *     project and route.
         */
        IdempotencyKey: string;
        /**
         * @description Makes it safe to send the same events again. Any text of 1 to 255 printable ASCII characters that is new for each intended
         *     request, a UUID say.
         */
        EventsKey: string;
    };
    requestBodies: {
        /** @description A message about a job. */
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
        /** @description A message about a pull request. */
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
        /** @description A message about a budget. */
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
        /** @description The session's secret, which scripts cannot read; an empty one takes it back. */
        SetCookie: string;
        /**
         * @description The id of this request in the server's log. A caller's own `X-Request-Id` is used where it has 8 to 64 letters, digits
         *     and hyphens.
         */
        XRequestId: string;
        /** @description The `version` of the data that was counted. */
        XVersion: number;
        /** @description How many rows the whole listing has. */
        XTotalCount: number;
        /** @description `true` where rows are left, else `false`. */
        XHasMore: "true" | "false";
        /**
         * @description Where more are left, the address of the next page (RFC 8288, `rel="next"`), relative to this one's. Of analytics, it names the version of
         *     the data, too.
         */
        NextLink: string;
        /**
         * @description Of the limit that this request counts against (`jobs` or `messages` of the project, `sign-ins` or `views` of the address): how many
         *     are left (`r`) and in how many seconds there are more (`t`), as `"jobs";r=99;t=3600`. With it come `RateLimit-Policy`
         *     (`"jobs";q=100;w=3600`: the limit, and its seconds), and the same as `RateLimit-Limit`, `RateLimit-Remaining` and
         *     `RateLimit-Reset`.
         */
        RateLimit: string;
        /** @description Seconds to wait before the same request is worth repeating. */
        RetryAfter: number;
        /** @description Present, as `true`, when this is the first answer again and nothing was done. */
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
                 * @description Any text of 1 to 255 printable ASCII characters that is new for each intended change, a UUID say. Kept for 24 hours, per
                 *     project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
                    /** @description Where to get the job. */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
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
                 * @description The `ETag` of what the change or removal is meant for, or several with commas between them. Where it has another one now, nothing is
                 *     changed and the answer is 412 `precondition_failed`.
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
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
                 * @description Any text of 1 to 255 printable ASCII characters that is new for each intended change, a UUID say. Kept for 24 hours, per
                 *     project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
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
                 * @description Any text of 1 to 255 printable ASCII characters that is new for each intended change, a UUID say. Kept for 24 hours, per
                 *     project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
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
                /** @description Most entries in one answer. */
                limit?: components["parameters"]["Limit"];
                /** @description The `nextCursor` of the page before, with the same filters. Another one is 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only jobs in one of these states. Give it several times, or with commas between. */
                status?: components["schemas"]["JobStatus"][] | components["schemas"]["JobStatus"];
                /**
                 * @description Only jobs of which this has become. Give it several times, or with commas between. `state=open,ready,refused,asked` are those that wait
                 *     for somebody; archived jobs are among them unless `status` leaves them out.
                 */
                state?: components["schemas"]["JobState"][];
                /** @description Only jobs whose last turn came to one of these. Give it several times, or with commas between. */
                outcome?: ("changed" | "answered" | "unchanged" | "refused" | "asked" | "discarded" | "failed")[];
                /** @description Only jobs with this text in their title, first prompt or summary, whatever the case. Every character stands for itself. */
                q?: string;
                /** @description Only jobs that were created at this instant or later. The forms are those of `dateFrom` of the analytics. */
                createdFrom?: string;
                /** @description Only jobs that were created before this instant. */
                createdTo?: string;
                /** @description Only jobs for which a pull request was opened, or (`false`) was not. Those that are active count too. */
                hasPullRequest?: boolean;
                /** @description Only jobs with this model. */
                model?: components["schemas"]["ModelId"];
                /** @description Only jobs that this automation has created. It need not be there any more. */
                automation?: components["schemas"]["AutomationId"];
                /**
                 * @description Only jobs that were created by the operator (`operator`), by any automation (`automation`), by one of them (`automation:ID`), with an
                 *     API key or a token that was made from it (`key:ID`), or by a person (`person:ID`).
                 */
                createdBy?: string;
                /** @description Only jobs with all of these metadata: `metadata[ticket]=DOC-17`. */
                metadata?: {
                    [key: string]: string;
                };
            };
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
                 * @description Any text of 1 to 255 printable ASCII characters that is new for each intended change, a UUID say. Kept for 24 hours, per
                 *     project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
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
                 * @description Any text of 1 to 255 printable ASCII characters that is new for each intended change, a UUID say. Kept for 24 hours, per
                 *     project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
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
                 * @description Any text of 1 to 255 printable ASCII characters that is new for each intended change, a UUID say. Kept for 24 hours, per
                 *     project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
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
                /** @description Most events in one answer. */
                limit?: number;
                /** @description How long to wait for something new. 0 answers at once. */
                waitSeconds?: number;
                /**
                 * @description The `progress` that you have seen, or nothing at all between `=` and the end for none: with it, another one counts as
                 *     something new.
                 */
                progress?: string;
                /** @description Of a stream, to go on over rests of the job, until it is archived. */
                follow?: boolean;
            };
            header?: {
                /** @description Of a stream, the last `id` that was seen. Goes before `after`. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description The events after `after`, oldest first. Empty when there are none (yet). Where the first number is higher than `after` + 1, those
             *     between are no longer kept.
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
            /** @description Of a stream that is opened again, there is nothing more to tell. */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The diffs. Empty while nothing has been changed. */
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
                /** @description As `path` of the diff has it. */
                path: string;
                /** @description `pending`: of what is not published. `pull_request`: of the newest pull request. */
                of?: "pending" | "pull_request";
            };
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page, or that it is not kept. */
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
                 * @description Any text of 1 to 255 printable ASCII characters that is new for each intended change, a UUID say. Kept for 24 hours, per
                 *     project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
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
                 * @description Any text of 1 to 255 printable ASCII characters that is new for each intended change, a UUID say. Kept for 24 hours, per
                 *     project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
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
                /** @description Most entries in one answer. */
                limit?: components["parameters"]["Limit"];
                /** @description The `nextCursor` of the page before, with the same filters. Another one is 400. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
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
    getJobReview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
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
                /** @description As `turn` of the event has it. */
                turn: number;
                /** @description As `step` of the event's `data` has it. */
                step: number;
            };
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The calls. Empty where the step has none, is not there (yet), or is no longer kept (`DOCENT_TRANSCRIPTS_KEEP_DAYS`). */
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
                /** @description Most entries in one answer. */
                limit?: components["parameters"]["Limit"];
                /** @description The `nextCursor` of the page before, with the same filters. Another one is 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description `asc`: oldest first. `desc`: newest first. */
                order?: "asc" | "desc";
            };
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
                /** @description The message's number. One that the job does not have, or that is no number at all, is 404 `message_not_found`. */
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
                /** @description Most entries in one answer. */
                limit?: components["parameters"]["Limit"];
                /** @description The `nextCursor` of the page before, with the same filters. Another one is 400. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
                 * @description The file's name, without a folder, which the agent sees. It must be a name that a repository could take. Of an image its
                 *     extension is free; of a text it says what kind of text it is.
                 */
                filename: string;
            };
            header?: {
                /**
                 * @description Any text of 1 to 255 printable ASCII characters that is new for each intended change, a UUID say. Kept for 24 hours, per
                 *     project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
                    /** @description Where to get it. */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The attachment's id. One that the project does not have, or that is no id at all, is 404 `attachment_not_found`. */
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
                 * @description The `ETag` of what the change or removal is meant for, or several with commas between them. Where it has another one now, nothing is
                 *     changed and the answer is 412 `precondition_failed`.
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The attachment's id. One that the project does not have, or that is no id at all, is 404 `attachment_not_found`. */
                attachmentId: components["parameters"]["AttachmentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The attachment's id. One that the project does not have, or that is no id at all, is 404 `attachment_not_found`. */
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
                    /** @description An answer that is shorter was cut off. */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the job took so far. */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where the job is in Temporal. */
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
                 * @description Count from this instant on: a date (midnight UTC), or a date-time of RFC 3339 or ISO 8601 (UTC without an offset). Without it, or
                 *     empty, from the beginning. These forms are accepted: `2026-11-01`, `2026-11-01T08:30`, `2026-11-01T08:30:15.25`, each time with or
                 *     without `Z` or an offset such as `+02:00` or `+02`, and the same without hyphens and colons (`20261101T0830`). `24:00` is the end of
                 *     its day. Weeks (`2026-W45`), days of the year (`2026-305`) and parts of dates (`2026-11`) are 400 `bad_request`.
                 */
                dateFrom?: components["parameters"]["DateFrom"];
                /** @description Count up to this instant, which is excluded. Without it, all events count, those included whose clocks were up to a day ahead. The forms are those of `dateFrom`. */
                dateTo?: components["parameters"]["DateTo"];
            };
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The days with any use, and their sum. */
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
                 * @description Any text of 1 to 255 printable ASCII characters that is new for each intended change, a UUID say. Kept for 24 hours, per
                 *     project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
            /** @description The job was created, and is told from here on. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    /** @description The job's id. */
                    "X-Session-Id": string;
                    /** @description The branch that the agent's commits go to, with `%` escapes for what a header cannot hold. */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
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
                /** @description Jobs to skip. */
                skip?: number;
                /** @description Most jobs in one answer. */
                take?: number;
            };
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
                /** @description Most entries in one answer. */
                limit?: components["parameters"]["Limit"];
                /** @description The `nextCursor` of the page before, with the same filters. Another one is 400. */
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
                 * @description Any text of 1 to 255 printable ASCII characters that is new for each intended change, a UUID say. Kept for 24 hours, per
                 *     project and route.
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
                    /** @description Where to get the project. */
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
            /** @description What was found; also of a repository that cannot be read. */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
                 * @description The `ETag` of what the change or removal is meant for, or several with commas between them. Where it has another one now, nothing is
                 *     changed and the answer is 412 `precondition_failed`.
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The project is deleted. */
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
                 * @description The `ETag` of what the change or removal is meant for, or several with commas between them. Where it has another one now, nothing is
                 *     changed and the answer is 412 `precondition_failed`.
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
                 * @description The `ETag` of what the change or removal is meant for, or several with commas between them. Where it has another one now, nothing is
                 *     changed and the answer is 412 `precondition_failed`.
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Null goes back to `builtin`. */
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
                    /** @description Absent, the installation's. */
                    model?: components["schemas"]["ModelId"];
                };
            };
        };
        responses: {
            /** @description What came of it. */
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
                /** @description Most entries in one answer. */
                limit?: number;
                /** @description The `nextCursor` of the page before, with the same filters. Another one is 400. */
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
                 * @description Any text of 1 to 255 printable ASCII characters that is new for each intended change, a UUID say. Kept for 24 hours, per
                 *     project and route.
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
                 * @description The `ETag` of what the change or removal is meant for, or several with commas between them. Where it has another one now, nothing is
                 *     changed and the answer is 412 `precondition_failed`.
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
            /** @description It is gone. */
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
                 * @description The `ETag` of what the change or removal is meant for, or several with commas between them. Where it has another one now, nothing is
                 *     changed and the answer is 412 `precondition_failed`.
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
            /** @description What was found. */
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
                /** @description The session's id, as `GET /v1/me/sessions` lists it. */
                signInId: components["parameters"]["SignInId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is over. */
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
                /** @description The path to go to afterwards. One that leads elsewhere counts as `/`. */
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
                /** @description Most entries in one answer. */
                limit?: components["parameters"]["Limit"];
                /** @description The `nextCursor` of the page before, with the same filters. Another one is 400. */
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
                /** @description The person's id, as the list shows it. */
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
                 * @description The `ETag` of what the change or removal is meant for, or several with commas between them. Where it has another one now, nothing is
                 *     changed and the answer is 412 `precondition_failed`.
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The person's id, as the list shows it. */
                personId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person is forgotten. */
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
                 * @description The `ETag` of what the change or removal is meant for, or several with commas between them. Where it has another one now, nothing is
                 *     changed and the answer is 412 `precondition_failed`.
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The person's id, as the list shows it. */
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
            /** @description The person as they are now. */
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
            /** @description The link was made. */
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
            /** @description The ways to sign in. */
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
            /** @description Who is signed in now. */
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
                     * @description Not in this browser alone.
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
                 * @description Any text of 1 to 255 printable ASCII characters that is new for each intended change, a UUID say. Kept for 24 hours, per
                 *     project and route.
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
                /** @description Only keys that open this project. */
                projectId?: components["schemas"]["ProjectId"];
                /** @description Most entries in one answer. */
                limit?: components["parameters"]["Limit"];
                /** @description The `nextCursor` of the page before, with the same filters. Another one is 400. */
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
                 * @description Any text of 1 to 255 printable ASCII characters that is new for each intended change, a UUID say. Kept for 24 hours, per
                 *     project and route.
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
                /** @description Only what was done in this project, which need not be there any more. */
                projectId?: components["schemas"]["ProjectId"];
                /** @description Only what was done by this key (with the tokens that were made from it), token or person, by its id; or `operator`, `anonymous` or `upkeep`. */
                actor?: string;
                /** @description Only this operation, such as `deleteProject`. */
                operation?: string;
                /** @description Only what was done at this instant or later. The forms are those of `dateFrom` of the analytics. */
                from?: string;
                /** @description Only what was done before this instant. */
                to?: string;
                /** @description Most entries in one answer. */
                limit?: components["parameters"]["Limit"];
                /** @description The `nextCursor` of the page before, with the same filters. Another one is 400. */
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
                /** @description The key's id, as the list shows it. */
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
                 * @description The `ETag` of what the change or removal is meant for, or several with commas between them. Where it has another one now, nothing is
                 *     changed and the answer is 412 `precondition_failed`.
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The key's id, as the list shows it. */
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
                 * @description The `ETag` of what the change or removal is meant for, or several with commas between them. Where it has another one now, nothing is
                 *     changed and the answer is 412 `precondition_failed`.
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The key's id, as the list shows it. */
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
                 * @description Any text of 1 to 255 printable ASCII characters that is new for each intended change, a UUID say. Kept for 24 hours, per
                 *     project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The key's id, as the list shows it. */
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
                 * @description `true` asks the code host first, and waits for it. Where it cannot be asked, 503 says why; without `refresh`, what is known
                 *     is told all the same, and `problem` says why it may be old.
                 */
                refresh?: boolean;
            };
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The job's id. One that no job of the project has, or that is no id at all, is 404 `job_not_found`. */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
                /** @description Most entries in one answer. */
                limit?: components["parameters"]["Limit"];
                /** @description The `nextCursor` of the page before, with the same filters. Another one is 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only pull requests in one of these states. Give it several times, or with commas between. */
                state?: ("open" | "merged" | "closed")[];
                /** @description Only those that were opened at this instant or later. The forms are those of `dateFrom` of the analytics. */
                createdFrom?: string;
                /** @description Only those that were opened before this instant. */
                createdTo?: string;
                /** @description Only those that were merged at this instant or later. */
                mergedFrom?: string;
                /** @description Only those that were merged before this instant. */
                mergedTo?: string;
            };
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
                /** @description Most entries in one answer. */
                limit?: components["parameters"]["Limit"];
                /** @description The `nextCursor` of the page before, with the same filters. Another one is 400. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
                 * @description Any text of 1 to 255 printable ASCII characters that is new for each intended change, a UUID say. Kept for 24 hours, per
                 *     project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
            /** @description The automation was added. */
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
    getAutomation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation's id, as the list shows it. */
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
                 * @description The `ETag` of what the change or removal is meant for, or several with commas between them. Where it has another one now, nothing is
                 *     changed and the answer is 412 `precondition_failed`.
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation's id, as the list shows it. */
                automationId: components["parameters"]["AutomationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
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
                 * @description The `ETag` of what the change or removal is meant for, or several with commas between them. Where it has another one now, nothing is
                 *     changed and the answer is 412 `precondition_failed`.
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation's id, as the list shows it. */
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
            /** @description The automation as it is now. */
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
                 * @description Any text of 1 to 255 printable ASCII characters that is new for each intended change, a UUID say. Kept for 24 hours, per
                 *     project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation's id, as the list shows it. */
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
                    /** @description Where to get the job. */
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
                /** @description Most entries in one answer. */
                limit?: components["parameters"]["Limit"];
                /** @description The `nextCursor` of the page before, with the same filters. Another one is 400. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation's id, as the list shows it. */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation's id, as the list shows it. */
                automationId: components["parameters"]["AutomationId"];
                /** @description The run's id, as the list shows it. */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation's id, as the list shows it. */
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
    receiveDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The automation's id, as the list shows it. */
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
                 * @description Any text of 1 to 255 printable ASCII characters that is new for each intended change, a UUID say. Kept for 24 hours, per
                 *     project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation's id, which may be the one that it has at the hosted service. */
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
                 * @description Any text of 1 to 255 printable ASCII characters that is new for each intended change, a UUID say. Kept for 24 hours, per
                 *     project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The automation's id, which may be the one that it has at the hosted service. */
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
                /** @description The webhook of this job instead. */
                jobId?: components["schemas"]["JobId"];
            };
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them. */
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
                 * @description Any text of 1 to 255 printable ASCII characters that is new for each intended change, a UUID say. Kept for 24 hours, per
                 *     project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
            /** @description The webhook was added. */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook's id, as the list shows it. */
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
                 * @description The `ETag` of what the change or removal is meant for, or several with commas between them. Where it has another one now, nothing is
                 *     changed and the answer is 412 `precondition_failed`.
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook's id, as the list shows it. */
                webhookId: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
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
                 * @description The `ETag` of what the change or removal is meant for, or several with commas between them. Where it has another one now, nothing is
                 *     changed and the answer is 412 `precondition_failed`.
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook's id, as the list shows it. */
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
            /** @description The webhook as it is now. */
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
                 * @description Any text of 1 to 255 printable ASCII characters that is new for each intended change, a UUID say. Kept for 24 hours, per
                 *     project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook's id, as the list shows it. */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook's id, as the list shows it. */
                webhookId: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What came of it. */
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
                /** @description Only those in this state. */
                state?: components["schemas"]["DeliveryState"];
                /** @description Most entries in one answer. */
                limit?: components["parameters"]["Limit"];
                /** @description The `nextCursor` of the page before, with the same filters. Another one is 400. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook's id, as the list shows it. */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook's id, as the list shows it. */
                webhookId: components["parameters"]["WebhookId"];
                /** @description The delivery's id, which its message carries as `webhook-id`. */
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
                 * @description Any text of 1 to 255 printable ASCII characters that is new for each intended change, a UUID say. Kept for 24 hours, per
                 *     project and route.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
                /** @description The webhook's id, as the list shows it. */
                webhookId: components["parameters"]["WebhookId"];
                /** @description The delivery's id, which its message carries as `webhook-id`. */
                deliveryId: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which waits to be sent. */
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
    showPullRequest: {
        parameters: {
            query?: {
                /** @description What was just done to it, where a browser was sent here after that. */
                done?: "merged" | "closed";
            };
            header?: never;
            path: {
                /** @description The unguessable id in the link of a job. */
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
                /** @description The unguessable id in the link of a job. */
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
                /** @description The unguessable id in the link of a job. */
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
                /** @description The unguessable id in the link of a job. */
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
                /** @description The unguessable id in the link of a job. */
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
            /** @description It is. */
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
            /** @description All can be reached. */
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
             * @description At least one cannot, a part of `docent start` is given up, or this server is about to stop: `error` says which. Jobs are
             *     accepted while Temporal or the worker is away and by a server that is about to stop, not while the database is away or its disk is full. Without the analytics folder,
             *     page views are neither taken nor told. Where `DOCENT_ANALYTICS_ACK` is `stored`, none is acknowledged without the bucket.
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
            /** @description The parts. */
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
                 * @description Count from this instant on: a date (midnight UTC), or a date-time of RFC 3339 or ISO 8601 (UTC without an offset). Without it, or
                 *     empty, from the beginning. These forms are accepted: `2026-11-01`, `2026-11-01T08:30`, `2026-11-01T08:30:15.25`, each time with or
                 *     without `Z` or an offset such as `+02:00` or `+02`, and the same without hyphens and colons (`20261101T0830`). `24:00` is the end of
                 *     its day. Weeks (`2026-W45`), days of the year (`2026-305`) and parts of dates (`2026-11`) are 400 `bad_request`.
                 */
                dateFrom?: components["parameters"]["DateFrom"];
                /** @description Count up to this instant, which is excluded. Without it, all events count, those included whose clocks were up to a day ahead. The forms are those of `dateFrom`. */
                dateTo?: components["parameters"]["DateTo"];
                /** @description Most rows in one answer. */
                limit?: components["parameters"]["RowLimit"];
                /** @description Rows to skip. */
                offset?: components["parameters"]["RowOffset"];
                /** @description Count only the views of this page, by its `path` as answers have it. */
                path?: components["parameters"]["OnlyPath"];
                /** @description Count only the views of visitors that came from this site, by its `host` as `referrers` has it. */
                referrer?: components["parameters"]["OnlyReferrer"];
                /**
                 * @description Count only the views of this agent, by its `agent` as `agents` has it. All of them count in `total`, also where the agent's class
                 *     stands outside of the totals.
                 */
                agent?: components["parameters"]["OnlyAgent"];
                /**
                 * @description The `version` of an earlier answer: counts what it counted, whatever came since. Kept for at least 15 minutes; 410
                 *     `version_gone` after that.
                 */
                version?: components["parameters"]["AnalyticsVersion"];
                /**
                 * @description `true`: every row in one answer. With `Accept: text/csv` alone, and without `limit` and `offset`. A caller may read 4 at a time (429
                 *     `rate_limited` above that), and who takes nothing for a minute is let go.
                 */
                all?: components["parameters"]["AllRows"];
            };
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
                 * @description Count from this instant on: a date (midnight UTC), or a date-time of RFC 3339 or ISO 8601 (UTC without an offset). Without it, or
                 *     empty, from the beginning. These forms are accepted: `2026-11-01`, `2026-11-01T08:30`, `2026-11-01T08:30:15.25`, each time with or
                 *     without `Z` or an offset such as `+02:00` or `+02`, and the same without hyphens and colons (`20261101T0830`). `24:00` is the end of
                 *     its day. Weeks (`2026-W45`), days of the year (`2026-305`) and parts of dates (`2026-11`) are 400 `bad_request`.
                 */
                dateFrom?: components["parameters"]["DateFrom"];
                /** @description Count up to this instant, which is excluded. Without it, all events count, those included whose clocks were up to a day ahead. The forms are those of `dateFrom`. */
                dateTo?: components["parameters"]["DateTo"];
                /** @description Most rows in one answer. */
                limit?: components["parameters"]["RowLimit"];
                /** @description Rows to skip. */
                offset?: components["parameters"]["RowOffset"];
                /** @description Count only the views of this page, by its `path` as answers have it. */
                path?: components["parameters"]["OnlyPath"];
                /** @description Count only the views of visitors that came from this site, by its `host` as `referrers` has it. */
                referrer?: components["parameters"]["OnlyReferrer"];
                /**
                 * @description Count only the views of this agent, by its `agent` as `agents` has it. All of them count in `total`, also where the agent's class
                 *     stands outside of the totals.
                 */
                agent?: components["parameters"]["OnlyAgent"];
                /**
                 * @description The `version` of an earlier answer: counts what it counted, whatever came since. Kept for at least 15 minutes; 410
                 *     `version_gone` after that.
                 */
                version?: components["parameters"]["AnalyticsVersion"];
                /**
                 * @description `true`: every row in one answer. With `Accept: text/csv` alone, and without `limit` and `offset`. A caller may read 4 at a time (429
                 *     `rate_limited` above that), and who takes nothing for a minute is let go.
                 */
                all?: components["parameters"]["AllRows"];
            };
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
                 * @description Count from this instant on: a date (midnight UTC), or a date-time of RFC 3339 or ISO 8601 (UTC without an offset). Without it, or
                 *     empty, from the beginning. These forms are accepted: `2026-11-01`, `2026-11-01T08:30`, `2026-11-01T08:30:15.25`, each time with or
                 *     without `Z` or an offset such as `+02:00` or `+02`, and the same without hyphens and colons (`20261101T0830`). `24:00` is the end of
                 *     its day. Weeks (`2026-W45`), days of the year (`2026-305`) and parts of dates (`2026-11`) are 400 `bad_request`.
                 */
                dateFrom?: components["parameters"]["DateFrom"];
                /** @description Count up to this instant, which is excluded. Without it, all events count, those included whose clocks were up to a day ahead. The forms are those of `dateFrom`. */
                dateTo?: components["parameters"]["DateTo"];
                /** @description Count only the views of this page, by its `path` as answers have it. */
                path?: components["parameters"]["OnlyPath"];
                /** @description Count only the views of visitors that came from this site, by its `host` as `referrers` has it. */
                referrer?: components["parameters"]["OnlyReferrer"];
                /**
                 * @description Count only the views of this agent, by its `agent` as `agents` has it. All of them count in `total`, also where the agent's class
                 *     stands outside of the totals.
                 */
                agent?: components["parameters"]["OnlyAgent"];
                /**
                 * @description The `version` of an earlier answer: counts what it counted, whatever came since. Kept for at least 15 minutes; 410
                 *     `version_gone` after that.
                 */
                version?: components["parameters"]["AnalyticsVersion"];
            };
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
                 * @description Count from this instant on: a date (midnight UTC), or a date-time of RFC 3339 or ISO 8601 (UTC without an offset). Without it, or
                 *     empty, from the beginning. These forms are accepted: `2026-11-01`, `2026-11-01T08:30`, `2026-11-01T08:30:15.25`, each time with or
                 *     without `Z` or an offset such as `+02:00` or `+02`, and the same without hyphens and colons (`20261101T0830`). `24:00` is the end of
                 *     its day. Weeks (`2026-W45`), days of the year (`2026-305`) and parts of dates (`2026-11`) are 400 `bad_request`.
                 */
                dateFrom?: components["parameters"]["DateFrom"];
                /** @description Count up to this instant, which is excluded. Without it, all events count, those included whose clocks were up to a day ahead. The forms are those of `dateFrom`. */
                dateTo?: components["parameters"]["DateTo"];
                /** @description Count only the views of this page, by its `path` as answers have it. */
                path?: components["parameters"]["OnlyPath"];
                /** @description Count only the views of visitors that came from this site, by its `host` as `referrers` has it. */
                referrer?: components["parameters"]["OnlyReferrer"];
                /**
                 * @description Count only the views of this agent, by its `agent` as `agents` has it. All of them count in `total`, also where the agent's class
                 *     stands outside of the totals.
                 */
                agent?: components["parameters"]["OnlyAgent"];
                /**
                 * @description The `version` of an earlier answer: counts what it counted, whatever came since. Kept for at least 15 minutes; 410
                 *     `version_gone` after that.
                 */
                version?: components["parameters"]["AnalyticsVersion"];
            };
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
                 * @description Count from this instant on: a date (midnight UTC), or a date-time of RFC 3339 or ISO 8601 (UTC without an offset). Without it, or
                 *     empty, from the beginning. These forms are accepted: `2026-11-01`, `2026-11-01T08:30`, `2026-11-01T08:30:15.25`, each time with or
                 *     without `Z` or an offset such as `+02:00` or `+02`, and the same without hyphens and colons (`20261101T0830`). `24:00` is the end of
                 *     its day. Weeks (`2026-W45`), days of the year (`2026-305`) and parts of dates (`2026-11`) are 400 `bad_request`.
                 */
                dateFrom?: components["parameters"]["DateFrom"];
                /** @description Count up to this instant, which is excluded. Without it, all events count, those included whose clocks were up to a day ahead. The forms are those of `dateFrom`. */
                dateTo?: components["parameters"]["DateTo"];
                /** @description Most rows in one answer. */
                limit?: components["parameters"]["RowLimit"];
                /** @description Rows to skip. */
                offset?: components["parameters"]["RowOffset"];
                /** @description Count only the views of this page, by its `path` as answers have it. */
                path?: components["parameters"]["OnlyPath"];
                /** @description Count only the views of visitors that came from this site, by its `host` as `referrers` has it. */
                referrer?: components["parameters"]["OnlyReferrer"];
                /**
                 * @description Count only the views of this agent, by its `agent` as `agents` has it. All of them count in `total`, also where the agent's class
                 *     stands outside of the totals.
                 */
                agent?: components["parameters"]["OnlyAgent"];
                /**
                 * @description The `version` of an earlier answer: counts what it counted, whatever came since. Kept for at least 15 minutes; 410
                 *     `version_gone` after that.
                 */
                version?: components["parameters"]["AnalyticsVersion"];
                /**
                 * @description `true`: every row in one answer. With `Accept: text/csv` alone, and without `limit` and `offset`. A caller may read 4 at a time (429
                 *     `rate_limited` above that), and who takes nothing for a minute is let go.
                 */
                all?: components["parameters"]["AllRows"];
            };
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
                 * @description Count from this instant on: a date (midnight UTC), or a date-time of RFC 3339 or ISO 8601 (UTC without an offset). Without it, or
                 *     empty, from the beginning. These forms are accepted: `2026-11-01`, `2026-11-01T08:30`, `2026-11-01T08:30:15.25`, each time with or
                 *     without `Z` or an offset such as `+02:00` or `+02`, and the same without hyphens and colons (`20261101T0830`). `24:00` is the end of
                 *     its day. Weeks (`2026-W45`), days of the year (`2026-305`) and parts of dates (`2026-11`) are 400 `bad_request`.
                 */
                dateFrom?: components["parameters"]["DateFrom"];
                /** @description Count up to this instant, which is excluded. Without it, all events count, those included whose clocks were up to a day ahead. The forms are those of `dateFrom`. */
                dateTo?: components["parameters"]["DateTo"];
                /** @description Most rows in one answer. */
                limit?: components["parameters"]["RowLimit"];
                /** @description Rows to skip. */
                offset?: components["parameters"]["RowOffset"];
                /**
                 * @description The `version` of an earlier answer: counts what it counted, whatever came since. Kept for at least 15 minutes; 410
                 *     `version_gone` after that.
                 */
                version?: components["parameters"]["AnalyticsVersion"];
                /**
                 * @description `true`: every row in one answer. With `Accept: text/csv` alone, and without `limit` and `offset`. A caller may read 4 at a time (429
                 *     `rate_limited` above that), and who takes nothing for a minute is let go.
                 */
                all?: components["parameters"]["AllRows"];
            };
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
                 * @description Makes it safe to send the same events again. Any text of 1 to 255 printable ASCII characters that is new for each intended
                 *     request, a UUID say.
                 */
                "Idempotency-Key"?: components["parameters"]["EventsKey"];
            };
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
            /** @description What became of the events. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ingested"];
                };
            };
            /** @description `bad_request`, `invalid_json`: the sentence says what is wrong. The body was cut short, is mostly blank lines, or more of its events were refused than accepted, and more than 1,000. */
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
            /** @description `unauthorized`: no key, or one that is malformed, unknown, revoked or expired, also where that happened meanwhile. */
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
            /** @description `project_not_found`: there is no such project (any more), or the key does not open it. */
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
            /** @description `request_timeout`: nothing came for 60 seconds. */
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
            /** @description `body_too_large`: more than 8 MB as JSON, or 64 MB as NDJSON, unpacked; or gzip that packs more than 100 to 1. */
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
            /** @description `rate_limited`: more than 12,000 requests with events in a minute with this key, or too many wrong keys from this address. */
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
            /** @description `internal`: a fault of the server. Its log has the details under the request id. */
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
            /** @description `unavailable`: the database cannot be reached, or the write-ahead log cannot take more now, or the server stops. */
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
            /** @description `storage_full`: the disk of the server is full. */
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
                 * @description Count from this instant on: a date (midnight UTC), or a date-time of RFC 3339 or ISO 8601 (UTC without an offset). Without it, or
                 *     empty, from the beginning. These forms are accepted: `2026-11-01`, `2026-11-01T08:30`, `2026-11-01T08:30:15.25`, each time with or
                 *     without `Z` or an offset such as `+02:00` or `+02`, and the same without hyphens and colons (`20261101T0830`). `24:00` is the end of
                 *     its day. Weeks (`2026-W45`), days of the year (`2026-305`) and parts of dates (`2026-11`) are 400 `bad_request`.
                 */
                dateFrom?: components["parameters"]["DateFrom"];
                /** @description Count up to this instant, which is excluded. Without it, all events count, those included whose clocks were up to a day ahead. The forms are those of `dateFrom`. */
                dateTo?: components["parameters"]["DateTo"];
                /** @description Most rows in one answer. */
                limit?: number;
                /** @description The `nextCursor` of the page before, with the same filters. Another one is 400. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only feedback of this source. */
                source?: components["schemas"]["FeedbackSource"];
                /** @description Only feedback of these statuses, with commas between them. */
                status?: string;
            };
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of them. */
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
    getFeedbackByPage: {
        parameters: {
            query?: {
                /**
                 * @description Count from this instant on: a date (midnight UTC), or a date-time of RFC 3339 or ISO 8601 (UTC without an offset). Without it, or
                 *     empty, from the beginning. These forms are accepted: `2026-11-01`, `2026-11-01T08:30`, `2026-11-01T08:30:15.25`, each time with or
                 *     without `Z` or an offset such as `+02:00` or `+02`, and the same without hyphens and colons (`20261101T0830`). `24:00` is the end of
                 *     its day. Weeks (`2026-W45`), days of the year (`2026-305`) and parts of dates (`2026-11`) are 400 `bad_request`.
                 */
                dateFrom?: components["parameters"]["DateFrom"];
                /** @description Count up to this instant, which is excluded. Without it, all events count, those included whose clocks were up to a day ahead. The forms are those of `dateFrom`. */
                dateTo?: components["parameters"]["DateTo"];
                /** @description Most rows in one answer. */
                limit?: number;
                /** @description Only feedback of this source. */
                source?: components["schemas"]["FeedbackSource"];
                /** @description Only feedback of these statuses, with commas between them. */
                status?: string;
            };
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of them. */
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
                 * @description Count from this instant on: a date (midnight UTC), or a date-time of RFC 3339 or ISO 8601 (UTC without an offset). Without it, or
                 *     empty, from the beginning. These forms are accepted: `2026-11-01`, `2026-11-01T08:30`, `2026-11-01T08:30:15.25`, each time with or
                 *     without `Z` or an offset such as `+02:00` or `+02`, and the same without hyphens and colons (`20261101T0830`). `24:00` is the end of
                 *     its day. Weeks (`2026-W45`), days of the year (`2026-305`) and parts of dates (`2026-11`) are 400 `bad_request`.
                 */
                dateFrom?: components["parameters"]["DateFrom"];
                /** @description Count up to this instant, which is excluded. Without it, all events count, those included whose clocks were up to a day ahead. The forms are those of `dateFrom`. */
                dateTo?: components["parameters"]["DateTo"];
                /** @description Most rows in one answer. */
                limit?: number;
                /** @description The `nextCursor` of the page before, with the same filters. Another one is 400. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of them. */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
                projectId: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The script. Browsers and caches may keep it for an hour. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    /** @description How long it may be kept. */
                    "Cache-Control": string;
                    /** @description Any site may include it. */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
                    /** @description The page's origin. */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
            /** @description It is kept. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    /** @description The page's origin. */
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
                /** @description The project's id. One that no project has, or that is no id at all, is 404 `project_not_found`. */
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
            /** @description It is kept. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    /** @description The page's origin. */
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
