@_spi(Tools) import AtRestBus
@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// The parts of the agent's bus.
struct SecretServiceBusTests {
  @Test(arguments: [
    ("/org/freedesktop/secrets", SecretPath.service),
    ("/org/freedesktop/secrets/collection/login", .collection("login")),
    ("/org/freedesktop/secrets/collection/aws_2dvault_20_c3_a9", .collection("aws-vault é")),
    ("/org/freedesktop/secrets/collection/_5f", .collection("_")),
    ("/org/freedesktop/secrets/collection/_", .collection("")),
    ("/org/freedesktop/secrets/aliases/default", .alias("default")),
    ("/org/freedesktop/secrets/collection/login/17", .item("login", 17)),
    ("/org/freedesktop/secrets/session/3", .session(3)),
  ])
  func pathsReadBack(text: String, path: SecretPath) {
    #expect(SecretPath(text) == path)
    #expect(path.text == text)
    #expect(BusPath.isValid(text))
  }

  @Test(arguments: [
    "", "/", "/org/freedesktop/secretsx", "/org/freedesktop/secrets/", "/org/freedesktop/secrets/x",
    "/org/freedesktop/secrets/collection", "/org/freedesktop/secrets/collection/login/",
    "/org/freedesktop/secrets/collection/login/-1", "/org/freedesktop/secrets/collection/login/017",
    "/org/freedesktop/secrets/collection/login/1/2", "/org/freedesktop/secrets/session/x",
    "/org/freedesktop/secrets/collection/login/99999999999999999999",
  ])
  func otherPathsAreNone(text: String) { #expect(SecretPath(text) == nil) }

  @Test func rulesSayWhichSignalsAreWanted() throws {
    let signal = BusMessage(
      .signal, path: "/a/b", interface: "x.y", member: "M", [.path("/c/d"), .text("e.f")])
    func isWanted(_ rule: String) throws -> Bool {
      try #require(MatchRule(rule)).matches(signal, sentBy: [":0.0", "org.freedesktop.secrets"])
    }
    for rule in [
      "", "type='signal'", "type=signal,path=/a/b", "path_namespace='/a'", "path_namespace='/'",
      "interface='x.y',member='M'", "sender='org.freedesktop.secrets'", "sender=':0.0'",
      "arg0='/c/d'", "arg0path='/c/'", "arg1='e.f'", "arg0path='/c/d'",
    ] { #expect(try isWanted(rule), "\(rule)") }
    for rule in [
      "type='method_call'", "path='/a'", "path_namespace='/a/b/c'", "path_namespace='/a/bb'",
      "member='N'", "sender=':1.5'", "arg0='/c'", "arg1='e'", "arg2='x'", "arg0namespace='e'",
    ] { #expect(try !isWanted(rule), "\(rule)") }
    for text in [
      "type", "type='signal", "='x'", "unknown='x'", "type='a',type='b'", "arg01='x'", "arg64='x'",
      "arg-1='x'", "arg='x'", "arg1='a',arg1='b'", String(repeating: "x", count: 2000),
    ] {
      #expect(MatchRule(text) == nil, "\(text)")
    }
    #expect(MatchRule(#"arg1=''\''e'"#) != nil)
  }

  @Test func theKernelsUserLogsIn() {
    var login = BusLogin(guid: "0f", user: 1000)
    #expect(login.answer(Array("\0AUTH".utf8)) == .line("REJECTED EXTERNAL"))
    #expect(login.answer(Array("AUTH ANONYMOUS".utf8)) == .line("REJECTED EXTERNAL"))
    #expect(login.answer(Array("AUTH EXTERNAL 30".utf8)) == .line("REJECTED EXTERNAL"))
    #expect(login.answer(Array("AUTH EXTERNAL 31303030".utf8)) == .line("OK 0f"))
    #expect(login.answer(Array("BEGIN".utf8)) == .begins)
    // Control: nobody begins without it.
    var other = BusLogin(guid: "0f", user: 1000)
    #expect(other.answer(Array("\0AUTH EXTERNAL".utf8)) == .line("DATA"))
    #expect(other.answer(Array("BEGIN".utf8)) == .ends)
    var third = BusLogin(guid: "0f", user: 1000)
    #expect(third.answer(Array("\0AUTH EXTERNAL 31303030".utf8)) == .line("OK 0f"))
    #expect(third.answer(Array("CANCEL".utf8)) == .line("REJECTED EXTERNAL"))
    #expect(third.answer(Array("BEGIN".utf8)) == .ends)
  }

  /// Numbers computed with Python: the exponents are the bytes 1 to 128, and 3 to 130.
  @Test func keysAreThoseOfTheSpecification() throws {
    let exponent = SecretBytes((1...128).map { UInt8($0) })
    let own =
      "52893c96a07492593d36d00328ba21101c0ab104717cf1928b3890e1ecbd76e827e7ba7d589a03ef64f8f5648cea2b07"
      + "7409319013d832c41a04a3793eb4b73ca2a36306241de180ec36f5cfbef207ba2e04a39f1384dce12b8ebe27b54dbf04"
      + "9be0abc80ebd4849976974b2be955c2c87ba11712576887f5b96427a1d8fb2fd"
    let other =
      "874a941a7da5a88e804d09e6857270a6075b7de9ff441d742e038ee7ae764232b7bcbc298bb516b8316b0b5573764a6b"
      + "e47e6c254318c76273ee7b1c93961f1bd2ed92cd3006659a5a09a7e1790785d4c0e290377cd201ec1bce83ed78e9eab4"
      + "bd733d503decd92ee9fd6b401a0822f891de249baebfff6d2b7acc7f23b25a6e"
    let (transport, number) = try SecretTransport.agree(
      with: BusBytes(Data(hexadecimal: other)!), exponent: exponent)
    #expect(number.withUnsafeBytes { Data($0).hexadecimal } == own)
    guard case .encrypted(let key) = transport else {
      Issue.record("The transport is not encrypted.")
      return
    }
    #expect(
      key.bytes.withUnsafeBytes { Data($0).hexadecimal } == "202d916569b4c302ee18075542e43c58")
  }

  @Test func numbersOutsideOfTheGroupAreRefused() {
    let prime = SecretTransport.prime
    let largest = prime.dropLast() + [0xfe]
    for number in [
      Data(), Data([0]), Data([1]), Data(count: 127) + [1], largest, prime, prime + [0],
      Data(repeating: 0xff, count: 128),
    ] {
      #expect(throws: AtRestError.self) { try SecretTransport.agree(with: BusBytes(number)) }
    }
    #expect(throws: Never.self) { try SecretTransport.agree(with: BusBytes(Data([2]))) }
    #expect(throws: Never.self) {
      try SecretTransport.agree(with: BusBytes(Data([0]) + prime.dropLast() + [0xfd]))
    }
  }

  /// Bytes that are not encrypted under the session's key are refused, or other bytes, and never end the agent.
  @Test func changedSecretsAreRefused() throws {
    let (transport, _) = try SecretTransport.agree(with: BusBytes(Data([2])))
    let secret = SecretBytes(utf8: "a secret of some length")
    let (parameters, value) = try secret.withUnsafeBytes { try transport.seal($0) }
    let (vector, sealed) = try (#require(parameters.content), #require(value.content))
    #expect(
      try transport.open(sealed, vector).withUnsafeBytes { Data($0) }
        == secret.withUnsafeBytes { Data($0) })
    for count in [0, 1, 15, 17, 31] {
      let cut = BusBytes(sealed.withUnsafeBytes { Data($0.prefix(count)) })
      #expect(throws: AtRestError.self) { _ = try transport.open(cut, vector) }
    }
    #expect(throws: AtRestError.self) {
      _ = try transport.open(sealed, BusBytes(Data(count: 15)))
    }
  }

  /// Only a lock, and what reads nothing, is answered before the program that asks was looked at.
  @Test func whatReadsIsNeverAnsweredUnseen() throws {
    let secrets = SecretService(try AgentRun().service)
    func work(_ interface: String, _ member: String, _ path: String) -> FrameWork {
      secrets.work(
        for: BusMessage(
          .call, path: path, interface: interface, member: member, destination: BusHub.service))
    }
    let collection = SecretPath.collection("login").text
    for member in ["Ping", "Lock", "Close"] {
      #expect(work("org.freedesktop.DBus.Introspectable", member, collection) == .usual)
      #expect(work("org.freedesktop.Secret.Collection", member, collection) == .usual)
      #expect(work("org.freedesktop.DBus.Properties", member, SecretPath.root) == .usual)
    }
    // Control: these are the calls that need nobody to be seen.
    #expect(work("org.freedesktop.Secret.Service", "Lock", SecretPath.root) == .lock)
    #expect(work("org.freedesktop.DBus.Peer", "Ping", "/") == .none)
    #expect(
      work("org.freedesktop.Secret.Session", "Close", SecretPath.session(1).text) == .none)
  }

  /// The values of openssl enc -aes-128-cbc for a key, a vector and texts of 0, 15, 16 and 17 bytes.
  @Test(arguments: [
    (0, "0a940bb5416ef045f1c39458c653ea5a"), (15, "f2e5d778f1e5948970aa77c8e2763e7b"),
    (16, "8ea07eb4477cd88cf75583500cf45999756a484a676f0f5b8736f1150d1153ac"),
    (17, "8ea07eb4477cd88cf75583500cf4599942fcb4541a84d672d09b3b22892b289f"),
  ])
  func secretsAreEncryptedAsOthersDo(count: Int, expected: String) throws {
    let key = AgentSecret(SecretBytes((0..<16).map { UInt8($0) }))
    let transport = SecretTransport.encrypted(key)
    let secret = SecretBytes((0..<count).map { UInt8($0 &+ 65) })
    let vector = BusBytes((0..<16).map { UInt8($0 &+ 16) })
    let sealed = BusBytes(try #require(Data(hexadecimal: expected)))
    let opened = try transport.open(sealed, vector)
    #expect(
      opened.withUnsafeBytes { Data($0) } == secret.withUnsafeBytes { Data($0) })
    // Each secret has a vector of its own.
    let (first, one) = try secret.withUnsafeBytes { try transport.seal($0) }
    let (second, other) = try secret.withUnsafeBytes { try transport.seal($0) }
    #expect(first != second && one != other)
    let again = try transport.open(#require(one.content), #require(first.content))
    #expect(again.withUnsafeBytes { Data($0) } == secret.withUnsafeBytes { Data($0) })
  }
}
