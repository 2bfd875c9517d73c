import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { TextArea } from '../../parts/field.tsx';
import { text } from '../../text.ts';
import type { Comment, Comments } from './comments.ts';

const { changes: w } = text;

/** The editor of a comment on a line. The bar below sends all comments. */
export function CommentBox({ of: comment, comments }: { of: Comment; comments: Comments }) {
  const [text, setText] = useState(comment.text);
  return (
    <div class="comment-box">
      <TextArea
        label={w.commentOn(comment.line)}
        hint={w.commentHint}
        rows={2}
        value={text}
        onValue={(next) => {
          setText(next);
          comments.write(comment, next);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && text === '') comments.remove(comment);
        }}
      />
      <div class="actions">
        <Button kind="quiet" onClick={() => comments.remove(comment)}>
          {w.removeComment}
        </Button>
      </div>
    </div>
  );
}
