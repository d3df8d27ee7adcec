// env: K6_NO_SETUP=true K6_NO_TEARDOWN=true K6_SETUP_TIMEOUT=20s K6_TEARDOWN_TIMEOUT=1m K6_MAX_REDIRECTS=3 K6_BATCH=7 K6_BATCH_PER_HOST=2
// env: K6_RPS=50 K6_USER_AGENT=me/1 K6_INSECURE_SKIP_TLS_VERIFY=true K6_NO_CONNECTION_REUSE=true K6_NO_VU_CONNECTION_REUSE=true
// env: K6_MIN_ITERATION_DURATION=10ms K6_THROW=true K6_BLACKLIST_IPS=10.0.0.0/8,fd00::/8 K6_BLOCK_HOSTNAMES=*.example.net,b.test
// env: K6_SUMMARY_TREND_STATS=avg,p(99.9),count K6_SUMMARY_TIME_UNIT=us K6_TAGS=a:b,c:d K6_SYSTEM_TAGS=proto,status,group,scenario
// env: K6_DISCARD_RESPONSE_BODIES=true K6_DNS=ttl=1m,select=first,policy=any K6_NO_COOKIES_RESET=true K6_METRIC_SAMPLES_BUFFER_SIZE=77
// env: K6_VUS=2 K6_ITERATIONS=4 K6_DURATION=30s
// Every option that has a variable, set by its variable.
import { optionCases } from '../lib/options.js';

export default optionCases();
