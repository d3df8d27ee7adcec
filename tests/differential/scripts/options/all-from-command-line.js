// args: --no-setup --no-teardown --max-redirects 3 --batch 7 --batch-per-host 2 --rps 50 --user-agent me/1 --insecure-skip-tls-verify
// args: --no-connection-reuse --no-vu-connection-reuse --min-iteration-duration 10ms -w --blacklist-ip 10.0.0.0/8 --blacklist-ip fd00::/8
// args: --block-hostnames *.example.net,b.test --summary-trend-stats avg,p(99.9),count --summary-time-unit s --tag a=b --tag c=d
// args: --system-tags proto,status,group,scenario --discard-response-bodies --dns ttl=1m,select=first,policy=any --execution-segment 0:1/2
// args: -u 2 -i 4 -d 30s
// Every option that has a flag, set by its flag.
import { optionCases } from '../lib/options.js';

export default optionCases();
