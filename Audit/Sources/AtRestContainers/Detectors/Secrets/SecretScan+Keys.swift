@_spi(Tools) import AtRestSecrets
import Foundation

extension SecretScan {
  private static let longestKey = 16_384

  /// Reads a private key in PEM (RFC 7468), of OpenSSH or PGP.
  func pemKey(at place: Int) -> Detection? {
    guard let key = PrivateKeyText(in: text, at: place) else { return nil }
    let note = key.label.lowercased()
    return Detection(
      .privateKey, key.range, key.isEncrypted ? .likely : .certain, in: text,
      note: key.isEncrypted && !note.hasPrefix("enc") ? note + ", encrypted" : note)
  }

  /// Reads a private key in DER that is the whole value: PKCS#1, PKCS#8, SEC 1 or PKCS#12.
  func derKey() -> Detection? {
    guard text.count >= 32, text[0] == 0x30, let body = sequence() else { return nil }
    let head = text[body...].prefix(16)
    let note: String? =
      if head.starts(with: [0x02, 0x01, 0x00, 0x30]) {
        "pkcs#8"
      } else if head.starts(with: [0x02, 0x01, 0x00, 0x02, 0x82]) {
        "rsa private key"
      } else if head.starts(with: [0x02, 0x01, 0x01, 0x04]),
        [28, 32, 48, 66].contains(Int(head[body + 4]))
      {
        "ec private key"
      } else if head.starts(with: [0x02, 0x01, 0x03, 0x30]) {
        "pkcs#12"
      } else {
        nil
      }
    guard let note else { return nil }
    return Detection(
      .privateKey, text.indices, note == "pkcs#12" ? .likely : .certain, in: text, note: note)
  }

  /// The offset of the contents of a sequence that is the whole value.
  private func sequence() -> Int? {
    let first = Int(text[1])
    if first < 0x80 { return 2 + first == text.count ? 2 : nil }
    let size = first & 0x7F
    guard (1...4).contains(size), text.count > 2 + size else { return nil }
    let length = text[2..<2 + size].reduce(0) { $0 << 8 | Int($1) }
    return 2 + size + length == text.count ? 2 + size : nil
  }

  private struct TokenHeader: Decodable { let alg: String }

  private struct TokenClaims: Decodable {
    let iss: String?
    let sub: String?
    let exp: Double?
  }

  /// Reads a JSON Web Token, and notes its algorithm and its claims.
  func webToken(at place: Int) -> Detection? {
    guard let end = WebToken.exactEnd(in: text, at: place) else { return nil }
    let parts = text[place..<end].split(separator: 0x2E, omittingEmptySubsequences: false)
    guard let head = Self.decode(parts[0]),
      let header = try? JSONDecoder().decode(TokenHeader.self, from: head)
    else { return nil }
    var notes = ["alg \(Self.shown(header.alg))"]
    if parts.count == 3, let body = Self.decode(parts[1]),
      let claims = try? JSONDecoder().decode(TokenClaims.self, from: body)
    {
      if let issuer = claims.iss { notes.append("iss \(Self.shown(issuer))") }
      if let subject = claims.sub { notes.append("sub \(Self.shown(subject))") }
      if let expiry = claims.exp, abs(expiry) < 1e11 {
        notes.append("exp \(Date(timeIntervalSince1970: expiry).formatted(.iso8601))")
      }
    }
    return Detection(
      .webToken, place..<end, .certain, in: text, note: notes.joined(separator: ", "))
  }

  private static func decode(_ part: Slice<UnsafeBufferPointer<UInt8>>) -> Data? {
    ByteRun.base64.bytes(of: .init(rebasing: part.prefix { $0 != 0x3D })).map { Data($0) }
  }

  private static func shown(_ claim: String) -> String {
    String(claim.prefix(60).filter { !$0.isNewline })
  }

  private static let schemes = ["bearer ", "basic "].map { Array($0.utf8) }

  /// Reads the token after `Bearer` or `Basic` in a header.
  func bearerToken(at place: Int) -> Detection? {
    for scheme in Self.schemes {
      guard text.count - place > scheme.count + 8,
        text[place..<place + scheme.count].elementsEqual(scheme, by: { ASCII.lower($0) == $1 })
      else { continue }
      let start = place + scheme.count
      var end = start
      while end < text.count, end - start < Self.longestKey,
        ByteRun.base64.contains(text[end]) || [0x2E, 0x7E, 0x3D].contains(text[end])
      { end += 1 }
      let token = text[start..<end]
      guard token.count >= 12, token.contains(where: ASCII.isDigit), Set(token).count >= 6,
        webToken(at: start) == nil
      else { return nil }
      return Detection(.token, start..<end, .certain, in: text, note: "authorization header")
    }
    return nil
  }
}
