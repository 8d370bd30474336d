// What an MCP server asks: a form, a visit of an address, or leave to ask the model.
import { useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { ServerError } from '../server/api.ts';
import { answerRequest, type ClientRequest, type Schema } from '../server/mcp.ts';
import { complain, tell } from '../state/notices.ts';
import { dropQuestion } from '../state/questions.ts';
import { OutsideLink } from '../markdown/outside_link.tsx';
import { FormDialog } from '../view/form_dialog.tsx';
import { fieldsOf, valuesOf } from '../view/schema_fields.ts';
import { SchemaForm } from '../view/schema_form.tsx';

export function QuestionCard({ question }: { question: ClientRequest }) {
  const [values, setValues] = useState<Record<string, unknown>>({});
  const [problem, setProblem] = useState('');
  const schema = question.params['requestedSchema'] as Schema | undefined;
  const answer = async (action: 'accept' | 'decline' | 'cancel') => {
    setProblem('');
    try {
      const content = action === 'accept' && schema ? valuesOf(fieldsOf(schema), values) : undefined;
      await answerRequest(question.requestId, action, content);
      dropQuestion(question.requestId);
    } catch (error) {
      if (error instanceof ServerError && error.status === 404) {
        dropQuestion(question.requestId);
        tell(t('questionOver'), { bad: true });
      } else if (error instanceof ServerError && error.status === 400) setProblem(error.message);
      else if (error instanceof ServerError) complain(error);
      else setProblem(t('fieldWrong', { name: (error as Error).message }));
    }
  };
  return (
    <FormDialog
      title={t('questionFrom', { name: question.server })}
      submit={t('accept')}
      onSubmit={() => void answer('accept')}
      onClose={() => void answer('cancel')}
      problem={problem}
      cancel={t('decline')}
      onCancel={() => void answer('decline')}
    >
      <Body question={question} />
      <SchemaForm schema={schema} values={values} onChange={setValues} />
    </FormDialog>
  );
}

function Body({ question: { method, params } }: { question: ClientRequest }) {
  const message = typeof params['message'] === 'string' ? params['message'] : '';
  const url = typeof params['url'] === 'string' ? params['url'] : undefined;
  if (method === 'sampling/createMessage') return <SamplingBody params={params} />;
  return (
    <>
      <p class="plain">{message}</p>
      {url !== undefined && (
        <p class="address">
          <OutsideLink to={url}>{url}</OutsideLink>
        </p>
      )}
    </>
  );
}

/** Accepting lets the server's default model answer. */
function SamplingBody({ params }: { params: Record<string, unknown> }) {
  const messages = Array.isArray(params['messages']) ? (params['messages'] as SamplingMessage[]) : [];
  return (
    <>
      <p>{t('samplingAsks')}</p>
      <pre class="preview" tabIndex={0} role="group" aria-label={t('messages')}>
        {typeof params['systemPrompt'] === 'string' ? `system: ${params['systemPrompt']}\n` : ''}
        {messages.map((each) => `${each.role}: ${textIn(each.content)}`).join('\n')}
      </pre>
    </>
  );
}

interface SamplingMessage {
  role: string;
  content: { type: string; text?: string } | { type: string; text?: string }[];
}

const textIn = (content: SamplingMessage['content']): string =>
  [content].flat().map((each) => each?.text ?? `[${each?.type}]`).join('\n');
