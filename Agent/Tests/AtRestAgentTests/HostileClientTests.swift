import AtRestCrypto
@_spi(Tools) import AtRestKeychain
@_spi(Tools) import AtRestTestSupport
import Foundation
import Testing

@testable import AtRestAgent

/// Clients that do not keep to the protocol do not keep the agent from serving others.
struct HostileClientTests {
  /// Connects, writes bytes, and returns everything that is answered until the connection ends.
  private func exchange(_ run: AgentRun, _ bytes: [UInt8], ending: Bool) throws -> [UInt8] {
    let file = try connect(run)
    defer { close(file) }
    _ = send(file, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    if ending { shutdown(file, Int32(SHUT_WR)) }
    var time = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(file, &buffer, buffer.count, 0)
      if count < 0 { Issue.record("The connection did not end.") }
      guard count > 0 else { return answer }
      answer += buffer[..<count]
    }
  }

  private func connect(_ run: AgentRun) throws -> Int32 {
    let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: run.socket.utf8) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0)
    return file
  }

  @Test func wrongMessagesAreAnsweredWithAnError() throws {
    let run = try AgentRun(secondsForFrame: 1)
    // A frame that is too large, and one that is empty, end the connection.
    for bytes in [[0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0]] as [[UInt8]] {
      let answer = try exchange(run, bytes, ending: false)
      #expect(String(decoding: answer, as: UTF8.self).contains("damaged"))
    }
    // A frame that is no request is refused.
    let answer = try exchange(run, [0, 0, 0, 2, 9, 9, 0], ending: false)
    #expect(String(decoding: answer, as: UTF8.self).contains("unsupported-version"))
    // A frame that is begun and not finished ends the connection after a second.
    #expect(try exchange(run, [0, 0, 1], ending: false) == [])
    #expect(try exchange(run, [0, 0, 0, 9, 1], ending: true) == [])
  }

  @Test func othersAreServed() async throws {
    let run = try AgentRun()
    try run.unlock()
    try run.grant("mail")
    // Connections that say nothing, and some that are in the middle of a message.
    let silent = try (0..<100).map { _ in try connect(run) }
    defer { for file in silent { close(file) } }
    for file in silent.prefix(50) { _ = send(file, [0, 0, 0] as [UInt8], 3, Int32(MSG_NOSIGNAL)) }
    let socket = run.socket
    try await withThrowingTaskGroup(of: Void.self) { group in
      for seed in 0..<8 {
        group.addTask {
          for round in 0..<20 {
            let connection = try AgentConnection(to: socket)
            // Garbage from a client of its own.
            #expect(throws: AtRestError.self) {
              try connection.send(
                .removeGrant(
                  String(repeating: "x", count: seed * 500 + round),
                  passcode: .init(
                    SecretBytes(utf8: ""))))
            }
          }
        }
      }
      for _ in 0..<3 {
        group.addTask {
          let connection = try AgentConnection(to: socket)
          for _ in 0..<200 {
            let secret = try connection.secret(.get(AgentRun.mail, groups: []))
            #expect(secret.count == 11)
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
