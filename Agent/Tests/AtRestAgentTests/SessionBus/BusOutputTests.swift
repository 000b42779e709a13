@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// Writing to a bus.
struct BusOutputTests {
  /// The output on one end of a pair of sockets, and the other end.
  private final class Scene {
    let locks = LockCount()
    let output: BusOutput
    let other: Int32
    private let own: Int32
    private let connection: ProtectedConnection

    init() throws {
      var ends: [Int32] = [0, 0]
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      (own, other) = (ends[0], ends[1])
      connection = locks.connection(on: own)
      output = BusOutput(own, connection)
    }

    deinit {
      output.end()
      locks.remove(connection)
      close(own)
      close(other)
    }

    func lock() {
      locks.begin()
      locks.end()
    }

    func add(_ text: String, before lock: UInt64) {
      output.add(
        .init(
          bytes: AgentSecret(SecretBytes(utf8: text)),
          protection: (lock, { AgentSecret(SecretBytes(utf8: "withheld")) })))
    }

    /// Reads up to a number of bytes, until there are as many, or the connection has ended.
    func read(_ count: Int) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: count)
      let got = recv(other, &bytes, count, Int32(MSG_WAITALL))
      return Array(bytes.prefix(max(0, got)))
    }
  }

  @Test func anAnswerIsSent() throws {
    let scene = try Scene()
    scene.add("the secret", before: scene.locks.number)
    #expect(scene.read(10) == Array("the secret".utf8))
  }

  @Test func anAnswerThatComesAfterALockIsWithheld() throws {
    let scene = try Scene()
    let before = scene.locks.number
    scene.lock()
    scene.add("the secret", before: before)
    #expect(scene.read(8) == Array("withheld".utf8))
  }

  /// What the bus has not read is not sent after a lock.
  @Test func aLockEndsAnAnswerThatWaits() throws {
    let scene = try Scene()
    let size = 8 << 20
    scene.add(String(repeating: "x", count: size), before: scene.locks.number)
    // The buffers of the kernel are full.
    #expect(scene.read(1 << 16).count == 1 << 16)
    scene.lock()
    #expect(scene.read(size).count < size - 1 << 16)
  }
}
