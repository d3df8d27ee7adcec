-- Exact percentiles of wrk and wrk2, in microseconds; their own table leaves most of them out.
function done(summary, latency, requests)
  io.write("netload-requests ", summary.requests, "\n")
  for _, p in ipairs({ 50, 90, 96, 99, 99.9 }) do
    io.write("netload-percentile ", p, " ", latency:percentile(p), "\n")
  end
end
