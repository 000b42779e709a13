import AtRestCrypto
import Foundation
import Security

extension Fuzzer {
  func readCertificates(_ input: consuming FuzzInput) throws {
    let isFile = input.integer(UInt8.self) & 1 == 1
    let bytes = input.rest
    try isAccepted {
      if isFile { try readPKCS12(Self.forged(bytes)) } else { try readCertificate(bytes) }
    }
  }

  private func readCertificate(_ bytes: Data) throws {
    guard let certificate = SecCertificateCreateWithData(nil, bytes as CFData) else {
      throw AtRestError.damaged("It is no certificate.")
    }
    try expect(
      SecCertificateCopyData(certificate) as Data == bytes, "A certificate is not what was read.")
    _ = SecCertificateCopySubjectSummary(certificate)
    _ = SecCertificateCopySerialNumberData(certificate, nil)
    _ = SecCertificateCopyKey(certificate)
    var addresses: CFArray?
    SecCertificateCopyEmailAddresses(certificate, &addresses)
    for name in [
      SecCertificateCopyNormalizedSubjectSequence(certificate),
      SecCertificateCopyNormalizedIssuerSequence(certificate),
    ] {
      try expect((name as Data?)?.first == 0x30, "A normalized name is no sequence.")
    }
  }

  private func readPKCS12(_ file: Data) throws {
    var items: CFArray?
    let options = [kSecImportExportPassphrase as String: Self.password]
    guard SecPKCS12Import(file as CFData, options as CFDictionary, &items) == errSecSuccess else {
      throw AtRestError.damaged("It is no PKCS#12 file.")
    }
    try expect(items != nil, "A file that was read has no array of items.")
  }

  private static let password = "öffnen"

  /// Returns a PKCS#12 file with given contents and the right authentication code.
  private static func forged(_ contents: Data) -> Data {
    func element(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] {
      let content = parts.flatMap { $0 }
      let length = withUnsafeBytes(of: UInt32(content.count).bigEndian) { Array($0) }
      return [tag, 0x84] + length + content
    }
    let salt = Data("salt".utf8)
    let code = PKCS12Password(password).authenticationCode(
      for: contents, .sha256, salt: salt, rounds: 1)
    let data: [UInt8] = [6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1]
    let sha256: [UInt8] = [6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1]
    return Data(
      element(
        0x30, [2, 1, 3],
        element(0x30, data, element(0xA0, element(4, Array(contents)))),
        element(
          0x30, element(0x30, element(0x30, sha256, [5, 0]), element(4, Array(code))),
          element(4, Array(salt)), [2, 1, 1])))
  }

  func certificateSeeds() -> [Data] {
    [(0, Self.certificate), (1, Self.contents)].compactMap { kind, text in
      Data(base64Encoded: text, options: .ignoreUnknownCharacters).map { Data([kind]) + $0 }
    }
  }

  /// The leaf of `Tests/SecurityTests/Fixtures`.
  private static let certificate = """
    MIICNjCCAbugAwIBAgILAIAAAAAAAAAAAAEwCgYIKoZIzj0EAwIwOTELMAkGA1UEBhMCREUxFjAUBgNVBAoTDUF0UmVz
    dCAgVGVzdHMxEjAQBgNVBAMTCVRlc3QgUm9vdDAgFw0yNjExMjExMTE2MDRaGA8yMTI2MTAyODExMTYwNFowZzELMAkG
    A1UEBhMCREUxGTAXBgNVBAoTECBBdFJlc3QgICB0ZXN0cyAxDTALBgNVBAsTBEtleXMxDTALBgNVBAMTBExlYWYxHzAd
    BgkqhkiG9w0BCQEWEGxlYWZAZXhhbXBsZS5jb20wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATEibCFzAAb8uNDLy0y
    2wmCxxt8vtHBxZrM5jD2fS4c2lb6RyHYXLqdyvGCCcemyPsNrhaHog5sI4z53prT8JXdo3oweDAJBgNVHRMEAjAAMB0G
    A1UdDgQWBBR5dTTnZMMUbQDk+VUcKeRMcPgGHzArBgNVHREEJDAigQ9hbHRAZXhhbXBsZS5jb22CD3d3dy5leGFtcGxl
    LmNvbTAfBgNVHSMEGDAWgBS9XFpMduQlKwgObumjj+hghsmdfjAKBggqhkjOPQQDAgNpADBmAjEA2oX4vkxIiCT7XNtc
    JfWrrgikSE9KuQiGEFWK1k5FXH6NdQ2scbm6Ei+riMuxwh4GAjEAmzEZSRaVjpU3r+M70pgg54D0SVndvHtATyHis2lU
    QXEZ6IfryseljaBHhQfNxRLw
    """

  /// The contents of `clear.p12`: the same certificate, and its key, not encrypted.
  private static let contents = """
    MIIDhDCCAqUGCSqGSIb3DQEHAaCCApYEggKSMIICjjCCAooGCyqGSIb3DQEMCgEDoIICUjCCAk4GCiqGSIb3DQEJFgGg
    ggI+BIICOjCCAjYwggG7oAMCAQICCwCAAAAAAAAAAAABMAoGCCqGSM49BAMCMDkxCzAJBgNVBAYTAkRFMRYwFAYDVQQK
    Ew1BdFJlc3QgIFRlc3RzMRIwEAYDVQQDEwlUZXN0IFJvb3QwIBcNMjYxMTIxMTExNjA0WhgPMjEyNjEwMjgxMTE2MDRa
    MGcxCzAJBgNVBAYTAkRFMRkwFwYDVQQKExAgQXRSZXN0ICAgdGVzdHMgMQ0wCwYDVQQLEwRLZXlzMQ0wCwYDVQQDEwRM
    ZWFmMR8wHQYJKoZIhvcNAQkBFhBsZWFmQGV4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAExImwhcwA
    G/LjQy8tMtsJgscbfL7RwcWazOYw9n0uHNpW+kch2Fy6ncrxggnHpsj7Da4Wh6IObCOM+d6a0/CV3aN6MHgwCQYDVR0T
    BAIwADAdBgNVHQ4EFgQUeXU052TDFG0A5PlVHCnkTHD4Bh8wKwYDVR0RBCQwIoEPYWx0QGV4YW1wbGUuY29tgg93d3cu
    ZXhhbXBsZS5jb20wHwYDVR0jBBgwFoAUvVxaTHbkJSsIDm7po4/oYIbJnX4wCgYIKoZIzj0EAwIDaQAwZgIxANqF+L5M
    SIgk+1zbXCX1q64IpEhPSrkIhhBVitZORVx+jXUNrHG5uhIvq4jLscIeBgIxAJsxGUkWlY6VN6/jO9KYIOeA9ElZ3bx7
    QE8h4rNpVEFxGeiH68rHpY2gR4UHzcUS8DElMCMGCSqGSIb3DQEJFTEWBBTuGDAWaUFOLaxLppnGygLTdPlVHjCB2AYJ
    KoZIhvcNAQcBoIHKBIHHMIHEMIHBBgsqhkiG9w0BDAoBAaCBijCBhwIBADATBgcqhkjOPQIBBggqhkjOPQMBBwRtMGsC
    AQEEIP7t9eolQ//r7z3SHeZXqlgrsDbjklOnoilZIBqNyxruoUQDQgAExImwhcwAG/LjQy8tMtsJgscbfL7RwcWazOYw
    9n0uHNpW+kch2Fy6ncrxggnHpsj7Da4Wh6IObCOM+d6a0/CV3TElMCMGCSqGSIb3DQEJFTEWBBTuGDAWaUFOLaxLppnG
    ygLTdPlVHg==
    """
}
