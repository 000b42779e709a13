import AtRestKeyServer
import NIOCore
import Testing

@Suite struct SourceTests {
  private func source(_ address: String) throws -> RequestSource {
    RequestSource(try SocketAddress(ipAddress: address, port: 1))
  }

  private func networks(_ address: String) throws -> [RequestSource.Network] {
    try source(address).networks
  }

  @Test func `An IPv6 address is counted by its first 64, 56 and 48 bits, and logged whole`() throws
  {
    let one = try source("2001:db8:1:203::1")
    #expect(one.address == "2001:db8:1:203::1")
    #expect(try one.networks == networks("2001:db8:1:203:ffff::9"))
    for (address, common) in [
      ("2001:db8:1:2ff::1", 2), ("2001:db8:1:303::1", 1), ("2001:db8:2:203::1", 0),
    ] {
      #expect(try Set(one.networks).intersection(networks(address)).count == common, "\(address)")
    }
  }

  @Test func `An IPv4 address is counted as a whole, in both forms`() throws {
    #expect(try networks("192.0.2.1") != networks("192.0.2.2"))
    #expect(try networks("::ffff:192.0.2.1") != networks("::ffff:192.0.2.2"))
  }

  @Test func `A network has four times the rate of an address, whatever addresses it uses`() throws
  {
    let limits = SourceLimits(.init(perSecond: 1, burst: 10))
    let now = ContinuousClock.now
    let allowed = try (0..<1000).filter {
      limits.allows(
        try source("2001:db8:1:\(String($0 % 500 * 16, radix: 16))::1"), at: now)
    }
    #expect(allowed.count == 40)
    // The control: another network.
    #expect(limits.allows(try source("2001:db8:2::1"), at: now))
  }

  @Test func `Many sources do not make the server forget one that is over its rate`() throws {
    let limits = SourceLimits(.init(perSecond: 0.001, burst: 10), maximumNetworks: 100)
    let now = ContinuousClock.now
    let loud = try source("192.0.2.1")
    for _ in 0..<10 { #expect(limits.allows(loud, at: now)) }
    #expect(!limits.allows(loud, at: now))
    for number in 0..<1000 {
      _ = limits.allows(try source("198.51.\(number / 250).\(number % 250)"), at: now)
    }
    #expect(!limits.allows(loud, at: now))
  }
}
