import AtRestKeyServer
import NIOCore
import Testing

@Suite struct NameLimitTests {
  private func sources(_ address: String) throws -> [NameLimits.Source] {
    RequestSource(try SocketAddress(ipAddress: address, port: 1)).networks.map { .network($0) }
  }

  @Test func `A source that names too many accounts has to wait`() throws {
    let limits = NameLimits(maximum: 3)
    let now = ContinuousClock.now
    let (one, two) = try (sources("192.0.2.1"), sources("192.0.2.2"))
    for name in ["a", "b", "c", "a", "b", "c"] {
      #expect(limits.allows(name, from: one, at: now))
    }
    #expect(!limits.allows("d", from: one, at: now))
    // Names that were used before stay allowed, and so do other sources.
    #expect(limits.allows("a", from: one, at: now))
    #expect(limits.allows("d", from: two, at: now))
    #expect(limits.allows("d", from: one, at: now + .seconds(3601)))
  }

  @Test func `A network names four times as many accounts as an address, and no more`() throws {
    let limits = NameLimits(maximum: 3)
    let now = ContinuousClock.now
    let allowed = try (0..<1000).filter {
      limits.allows(
        "name \($0)", from: try sources("2001:db8:1:\(String($0 * 16, radix: 16))::1"), at: now)
    }
    #expect(allowed.count == 12)
  }

  @Test func `Many sources do not make the server forget one that named too many`() throws {
    let limits = NameLimits(maximum: 3, maximumSources: 100)
    let now = ContinuousClock.now
    let loud = try sources("192.0.2.1")
    for name in ["a", "b", "c"] { #expect(limits.allows(name, from: loud, at: now)) }
    for number in 0..<1000 {
      _ = limits.allows(
        "a", from: try sources("198.51.\(number / 250).\(number % 250)"), at: now)
    }
    #expect(!limits.allows("d", from: loud, at: now))
  }
}
