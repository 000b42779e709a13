import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// Over a forwarded connection, keys are listed and used, and nothing else. A connection whose host did
/// not prove its key counts as one, and uses nothing.
struct SSHOriginTests {
  private func agent() throws -> (SSHRun, key: Data) {
    let ssh = try SSHRun([("a", .ed25519)], forwardable: "b")
    try ssh.run.unlock()
    try ssh.run.grant("ssh", "ssh.forwardable", mayWrite: true)
    let key = try #require(try ssh.run.service.sshKeys().first { $0.tag == "a" })
    return (ssh, key.publicKey.blob)
  }

  private func last(_ ssh: SSHRun) throws -> AgentLogEntry {
    try #require(try (ssh.run.connect().document(.log(count: 1)) as [AgentLogEntry]).last)
  }

  @Test func anUnprovedHostUsesNothing() throws {
    let (ssh, key) = try agent()
    let host = try PrivateKey.generate(.p256)
    let forwardable = try #require(
      try ssh.run.service.sshKeys().first { $0.isForwardable }?.publicKey.blob)
    // Controls: a connection that is not bound, and one that is bound for a login.
    for isBound in [false, true] {
      let connection = SSHConnection(ssh.run.service)
      if isBound { #expect(try connection.bind(host, isForwarding: false)) }
      #expect(try connection.count() == 2)
      #expect(connection.signs(key))
    }
    func expectNothing(_ connection: SSHConnection, _ comment: Comment) throws {
      #expect(try connection.count() == 0, comment)
      #expect(!connection.signs(key) && !connection.signs(forwardable), comment)
      #expect(try last(ssh).subject.contains("a host that did not prove the key SHA256:"), comment)
    }
    // A zero byte before the first number of the signature, which OpenSSH leaves out.
    let zero = SSHConnection(ssh.run.service)
    let isBound = try zero.bind(host, isForwarding: true) { signature in
      var reader = [UInt8](signature)
      // The lengths of the signature and of its first number, and the number itself.
      let start = 4 + Int(reader[3])
      reader[start + 3] += 1
      reader[start + 7] += 1
      reader.insert(0, at: start + 8)
      return Data(reader)
    }
    #expect(!isBound)
    try expectNothing(zero, "zero")
    // A key of a kind that the agent does not know, and one that is no key.
    for name in ["ssh-dss", "sk-ssh-ed25519@openssh.com", "x"] {
      let connection = SSHConnection(ssh.run.service)
      var writer = SSHWriter()
      writer.string(name)
      writer.string(Data(repeating: 1, count: 32))
      #expect(
        !connection.bind(writer.data, Data([1]), Data(repeating: 0, count: 9), isForwarding: false))
      try expectNothing(connection, "\(name)")
      // A right one afterwards changes nothing.
      _ = try connection.bind(host, isForwarding: true)
      try expectNothing(connection, "\(name), bound again")
    }
  }

  /// A message that says to bind the connection, and cannot be read.
  @Test func aBindingThatIsCutUsesNothing() throws {
    let (ssh, key) = try agent()
    let connection = SSHConnection(ssh.run.service)
    #expect(connection.signs(key))
    var writer = SSHWriter()
    writer.byte(27)
    writer.string("session-bind@openssh.com")
    writer.string("host")
    #expect(connection.answer(writer.data) == [5])
    #expect(try connection.count() == 0)
    #expect(!connection.signs(key))
  }

  @Test func aForwardedConnectionChangesNothing() throws {
    let (ssh, _) = try agent()
    let added = try SSHConnection.addKey(to: ssh.run.service)
    let host = try PrivateKey.generate(.ed25519)
    let fingerprint = try #require(SSHPublicKey(host.publicKey)).fingerprint
    let passcode = Data(AgentRun.passcode.utf8)
    let connection = SSHConnection(ssh.run.service, takesPasscode: true)
    #expect(try connection.bind(host, isForwarding: true))
    #expect(try connection.count() == 1)
    let requests: [(UInt8, [Data])] = [
      (22, [Data("x".utf8)]), (23, [Data("wrong".utf8)]), (23, [passcode]), (18, [added]), (19, []),
    ]
    for (type, strings) in requests {
      var writer = SSHWriter()
      writer.byte(type)
      for string in strings { writer.string(string) }
      #expect(connection.answer(writer.data) == [5], "\(type)")
      let entry = try last(ssh)
      #expect(entry.answer == "not-permitted" && entry.subject.contains(fingerprint), "\(entry)")
    }
    #expect(ssh.run.service.isUnlocked && ssh.run.service.memoryKeys.count == 1)
    // No attempt was counted: the limit of a store is not reached by another host.
    let keybag = try ssh.run.location.openKeybag()
    #expect(try keybag.failedAttempts() == 0)
    // Control: a program of this machine does the same.
    let local = SSHConnection(ssh.run.service, takesPasscode: true)
    #expect(local.answer(18, added) == 6 && local.answer(22, Data()) == 6)
    #expect(!ssh.run.service.isUnlocked)
    #expect(local.answer(23, passcode) == 6 && ssh.run.service.isUnlocked)
  }

  /// The socket for SSH takes the passcode only if an option says so.
  @Test func thePasscodeIsNotTaken() throws {
    let (ssh, _) = try agent()
    try ssh.run.connect().send(.lock)
    let connection = SSHConnection(ssh.run.service)
    #expect(connection.answer(23, Data(AgentRun.passcode.utf8)) == 5)
    #expect(!ssh.run.service.isUnlocked)
    #expect(try last(ssh).operation == "ssh-unlock" && last(ssh).answer == "not-permitted")
  }

  /// Without a grant to write, no key of `ssh-add` is removed.
  @Test func removingNeedsAGrant() throws {
    let ssh = try SSHRun([])
    try ssh.run.unlock()
    let key = try SSHConnection.addKey(to: ssh.run.service)
    let connection = SSHConnection(ssh.run.service)
    #expect(connection.answer(18, key) == 5 && connection.answer(19) == 5)
    try ssh.run.grant("ssh")
    #expect(connection.answer(19) == 5)
    #expect(ssh.run.service.memoryKeys.count == 1)
    try ssh.run.grant("ssh", mayWrite: true)
    #expect(connection.answer(19) == 6)
    #expect(ssh.run.service.memoryKeys.count == 0)
  }
}
