/** Return the samples of a page of Prometheus' text format: the sum over labels, by name. */
export function parseMetrics(text) {
  const sums = new Map();
  for (const line of text.split('\n')) {
    const found = /^([\w:]+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (!found || found[1].endsWith('_bucket')) continue;
    sums.set(found[1], (sums.get(found[1]) ?? 0) + Number(found[3]));
  }
  return sums;
}

const per = (sum, count) => (count > 0 ? sum / count : null);

/** Curves of the server's state: `value` of two readings and the seconds between them, null where nothing happened. */
export const CURVES = [
  { title: 'Tokens a second', unit: '', value: (now, before, seconds) => grown(now, before, 'vllm:generation_tokens_total') / seconds },
  { title: 'Prompt tokens a second', unit: '', value: (now, before, seconds) => grown(now, before, 'vllm:prompt_tokens_total') / seconds },
  { title: 'Requests running', unit: '', value: (now) => now.get('vllm:num_requests_running') },
  { title: 'Requests waiting', unit: '', value: (now) => now.get('vllm:num_requests_waiting') },
  { title: 'Cache in use', unit: '%', most: 100, value: (now) => 100 * now.get('vllm:kv_cache_usage_perc') },
  { title: 'Prompt found in cache', unit: '%', most: 100, value: (now, before) => share(now, before, 'vllm:prefix_cache_hits_total', 'vllm:prefix_cache_queries_total') },
  { title: 'Time to first token', unit: 'ms', value: (now, before) => mean(now, before, 'vllm:time_to_first_token_seconds') },
  { title: 'Time per token', unit: 'ms', value: (now, before) => mean(now, before, 'vllm:request_time_per_output_token_seconds') },
  { title: 'Drafts accepted', unit: '%', most: 100, value: (now, before) => share(now, before, 'vllm:spec_decode_num_accepted_tokens_total', 'vllm:spec_decode_num_draft_tokens_total') },
];

/** Totals since the server started. */
export const TOTALS = [
  ['Requests ended', 'vllm:request_success_total'],
  ['Tokens generated', 'vllm:generation_tokens_total'],
  ['Tokens of prompts', 'vllm:prompt_tokens_total'],
  ['Forced tokens', 'portcullis_output_tokens_forced_total'],
  ['Preemptions', 'vllm:num_preemptions_total'],
  ['Engine restarts', 'portcullis_engine_restarts_total'],
];

function grown(now, before, name) {
  return Math.max((now.get(name) ?? 0) - (before.get(name) ?? 0), 0);
}

function share(now, before, part, whole) {
  const value = per(grown(now, before, part), grown(now, before, whole));
  return value === null ? null : 100 * value;
}

function mean(now, before, name) {
  const value = per(grown(now, before, `${name}_sum`), grown(now, before, `${name}_count`));
  return value === null ? null : 1000 * value;
}
