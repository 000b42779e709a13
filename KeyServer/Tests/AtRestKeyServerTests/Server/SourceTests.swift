import AtRestKeyServer
import NIOCore
import Testing

@Suite struct SourceTests {
  private func source(_ address: String) throws -> RequestSource {
    RequestSource(try SocketAddress(ipAddress: address, port: 1))
  }

  @Test func `An IPv6 address is counted by its first 64 bits, and logged whole`() throws {
    let one = try source("2001:db8:1:2::1")
    #expect(one.address == "2001:db8:1:2::1")
    #expect(try one.counted == source("2001:db8:1:2:ffff::9").counted)
    #expect(try one.counted != source("2001:db8:1:3::1").counted)
  }

  @Test func `An IPv4 address is counted as a whole, in both forms`() throws {
    #expect(try source("192.0.2.1").counted != source("192.0.2.2").counted)
    #expect(try source("::ffff:192.0.2.1").counted != source("::ffff:192.0.2.2").counted)
  }
}
