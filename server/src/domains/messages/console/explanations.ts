/** Explains the upstream's most frequent errors of messages, and what helps. */
const EXPLANATIONS: Record<number, string> = {
  130403: 'The business blocked this person.',
  130429: 'The number sends more messages a second than its throughput allows. Send slower.',
  130472:
    'The person is part of an experiment of the upstream, which held this marketing message back. Do not repeat it.',
  130497: 'The account may not write to people in this country.',
  131000: 'The upstream failed without a reason. Send again later.',
  131026: 'The person has no WhatsApp, an old version of it, or has not accepted its terms.',
  131042: 'The account has a problem with its payment method.',
  131047: 'More than 24 hours have passed since the person last wrote. Send a template.',
  131048: 'Too many people reported or blocked the number. Its limit is lower for now.',
  131049: 'The upstream held a marketing message back, because the person gets too many. Do not repeat it soon.',
  131050: 'The person stopped marketing messages of this business.',
  131051: 'The upstream does not support messages of this type.',
  131052: 'The upstream could not load the file of the person’s message.',
  131053: 'The upstream could not load the file to send: check its type, size and address.',
  131056: 'Too many messages to the same person in a short time. Wait before the next one.',
  132000: 'The template has another number of parameters.',
  132001: 'The template does not exist in this language, or is not approved.',
  132015: 'The template is paused because of its quality.',
  132016: 'The template was paused too often and is disabled.',
  133010: 'The number is not registered. Connect the channel again.',
}

export function explainUpstreamError(code: number | null): string | null {
  return code === null ? null : (EXPLANATIONS[code] ?? null)
}
