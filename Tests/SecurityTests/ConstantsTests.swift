import Foundation
import Security
import Testing

/// Tests the values of constants, which stored items and literals in user code depend on.
@Suite struct ConstantsTests {
  @Test(
    arguments: [
      (kSecClass, "class"), (kSecClassGenericPassword, "genp"), (kSecAttrAccount, "acct"),
      (kSecAttrService, "svce"), (kSecAttrAccessGroup, "agrp"), (kSecAttrAccessible, "pdmn"),
      (kSecAttrAccessControl, "accc"), (kSecAttrSynchronizable, "sync"), (kSecValueData, "v_Data"),
      (kSecReturnData, "r_Data"), (kSecMatchLimit, "m_Limit"),
      (kSecAttrAccessibleWhenUnlocked, "ak"),
      (kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, "akpu"), (kSecAttrProtocolFTP, "ftp "),
      (kSecAttrProtocolHTTPS, "htps"), (kSecAttrKeyTypeECSECPrimeRandom, "73"),
      (kSecAttrTokenIDSecureEnclave, "com.apple.setoken"),
      (kSecUseAuthenticationContext, "u_AuthCtx"),
      (kSecImportExportPassphrase, "passphrase"), (kSecPrivateKeyAttrs, "private"),
    ].map { ($0.0 as String, $0.1) })
  func constantsHaveApplesValues(constant: String, value: String) {
    #expect(constant == value)
  }

  @Test func aConstantIsAKeyOfASwiftDictionary() {
    let query: [String: Any] = [kSecClass as String: kSecClassKey, String(kSecAttrLabel): "a"]
    #expect((query as CFDictionary)["class"] as? String == "keys")
  }

  @Test func algorithmsHaveApplesValues() {
    #expect(
      SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256.rawValue
        == "algid:sign:ECDSA:message-X962:SHA256")
    #expect(
      SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM.rawValue
        == "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV")
    #expect(
      SecKeyAlgorithm(rawValue: "algid:encrypt:RSA:OAEP:SHA256:AESGCM")
        == .rsaEncryptionOAEPSHA256AESGCM)
  }
}
