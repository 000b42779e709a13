import AtRestSimulation
import Foundation
import LocalAuthentication
import Security
import Testing

/// Tests every key of every call with values of every type. The result is a status code, never a trap.
@Suite struct WrongTypeTests {
  private static var keys: [CFString] {
    [
      kSecClass, kSecAttrAccessible, kSecAttrAccessControl, kSecAttrAccessGroup,
      kSecAttrSynchronizable, kSecAttrCreationDate, kSecAttrModificationDate, kSecAttrDescription,
      kSecAttrComment, kSecAttrCreator, kSecAttrType, kSecAttrLabel, kSecAttrIsInvisible,
      kSecAttrIsNegative, kSecAttrAccount, kSecAttrService, kSecAttrGeneric,
      kSecAttrSecurityDomain, kSecAttrServer, kSecAttrProtocol, kSecAttrAuthenticationType,
      kSecAttrPort, kSecAttrPath, kSecAttrSubject, kSecAttrIssuer, kSecAttrSerialNumber,
      kSecAttrSubjectKeyID, kSecAttrPublicKeyHash, kSecAttrCertificateType,
      kSecAttrCertificateEncoding, kSecAttrKeyClass, kSecAttrApplicationLabel,
      kSecAttrIsPermanent, kSecAttrApplicationTag, kSecAttrKeyType, kSecAttrKeySizeInBits,
      kSecAttrEffectiveKeySize, kSecAttrCanEncrypt, kSecAttrCanDecrypt, kSecAttrCanDerive,
      kSecAttrCanSign, kSecAttrCanVerify, kSecAttrCanWrap, kSecAttrCanUnwrap, kSecAttrTokenID,
      kSecMatchLimit, kSecMatchIssuers, kSecMatchPolicy, kSecMatchTrustedOnly,
      kSecMatchValidOnDate, kSecReturnData, kSecReturnAttributes, kSecReturnRef,
      kSecReturnPersistentRef, kSecValueData, kSecValueRef, kSecValuePersistentRef,
      kSecUseItemList, kSecUseOperationPrompt, kSecUseAuthenticationUI,
      kSecUseAuthenticationContext, kSecUseDataProtectionKeychain, kSecUseNoAuthenticationUI,
      kSecAttrPersistentReference, kSecAttrSyncViewHint,
    ]
  }

  private static var values: [Any] {
    [
      "", "text", "8080", "u_AuthUIA", "\u{0}", String(repeating: "x", count: 70_000), 0, 1, -1,
      Int.max, Int.min, UInt64.max, 1.5, Double.nan, Double.infinity, true, false, Data(),
      Data([0, 255]), Data(count: 29), Date(), Date.distantPast,
      Date(timeIntervalSince1970: .infinity), NSNull(), [Any](), ["text"], [1, NSNull()],
      [[String: Any]()], [String: Any](), ["acct": "eva"], NSObject(), LAContext(),
      URL(fileURLWithPath: "/"), UUID(), NSSet(), kSecClassIdentity, kSecClassKey,
      SecCertificate.self,
    ]
  }

  @Test(
    arguments: [
      kSecClassGenericPassword, kSecClassInternetPassword, kSecClassKey, kSecClassCertificate,
      kSecClassIdentity,
    ].map { $0 as String })
  func aStatusComesBack(itemClass: String) throws {
    try onDevice { _ in
      var seen: Set<OSStatus> = []
      for key in Self.keys {
        for value in Self.values {
          var query: Request = [kSecClass: itemClass]
          query[key] = value
          let request = query as CFDictionary
          var result: CFTypeRef?
          seen.insert(SecItemAdd(request, &result))
          seen.insert(SecItemCopyMatching(request, &result))
          seen.insert(
            SecItemUpdate([kSecClass: itemClass] as CFDictionary, [key: value] as CFDictionary))
          seen.insert(SecItemUpdate(request, [kSecAttrLabel: "x"] as CFDictionary))
          seen.insert(SecItemDelete(request))
        }
      }
      #expect(
        seen.isSubset(of: [
          errSecSuccess, errSecParam, errSecNoSuchAttr, errSecNoSuchClass, errSecItemNotFound,
          errSecDuplicateItem, errSecMissingEntitlement, errSecUnimplemented,
          errSecDataNotAvailable, errSecAuthFailed, errSecDecode,
        ]), "\(seen)")
    }
  }

  @Test func keysOfOtherTypesAreParameterErrors() throws {
    try onDevice { _ in
      for key: AnyHashable in [5, Data([1]), NSNull(), true] {
        let request = [key: "x", "class": "genp"] as NSDictionary
        // A number stands for an attribute.
        let status = key as? NSNumber == nil ? errSecParam : errSecNoSuchAttr
        #expect(SecItemCopyMatching(request, nil) == status)
        #expect(SecItemAdd(request, nil) == status)
        #expect(SecItemDelete(request) == status)
        #expect(SecItemUpdate(["class": "genp"] as NSDictionary, [key: "x"]) == status)
      }
    }
  }
}
