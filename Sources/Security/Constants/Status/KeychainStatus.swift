// Status codes of the system, of keychains and of their items.

/// The call succeeded.
public let errSecSuccess: OSStatus = 0
/// The function or the option is not implemented.
public let errSecUnimplemented: OSStatus = -4
/// No space is left on the disk.
public let errSecDiskFull: OSStatus = -34
/// The former spelling of ``errSecDiskFull``.
@available(*, deprecated, renamed: "errSecDiskFull")
public let errSecDskFull: OSStatus = errSecDiskFull
/// Reading or writing failed.
public let errSecIO: OSStatus = -36
/// The file is open for writing elsewhere.
public let errSecOpWr: OSStatus = -49
/// An argument is invalid.
public let errSecParam: OSStatus = -50
/// Writing is not permitted.
public let errSecWrPerm: OSStatus = -61
/// There is not enough memory.
public let errSecAllocate: OSStatus = -108
/// The user cancelled the request.
public let errSecUserCanceled: OSStatus = -128
/// The request is invalid, or not valid in the current state.
public let errSecBadReq: OSStatus = -909
/// An internal component failed.
public let errSecInternalComponent: OSStatus = -2070
/// Core Foundation reported an unknown error.
public let errSecCoreFoundationUnknown: OSStatus = -4960
/// The process lacks a required entitlement, such as the item's access group.
public let errSecMissingEntitlement: OSStatus = -34018
/// The process is not allowed to make this call.
public let errSecRestrictedAPI: OSStatus = -34020
/// No keychain is available.
public let errSecNotAvailable: OSStatus = -25291
/// The keychain is read-only.
public let errSecReadOnly: OSStatus = -25292
/// The user or the password was not accepted.
public let errSecAuthFailed: OSStatus = -25293
/// There is no such keychain.
public let errSecNoSuchKeychain: OSStatus = -25294
/// The file is not a keychain, or it is damaged.
public let errSecInvalidKeychain: OSStatus = -25295
/// A keychain with this name already exists.
public let errSecDuplicateKeychain: OSStatus = -25296
/// The callback is already installed.
public let errSecDuplicateCallback: OSStatus = -25297
/// The callback is invalid.
public let errSecInvalidCallback: OSStatus = -25298
/// The keychain already has this item.
public let errSecDuplicateItem: OSStatus = -25299
/// The keychain has no such item.
public let errSecItemNotFound: OSStatus = -25300
/// The buffer is too small for the result.
public let errSecBufferTooSmall: OSStatus = -25301
/// The data is too large.
public let errSecDataTooLarge: OSStatus = -25302
/// Items of this class have no such attribute.
public let errSecNoSuchAttr: OSStatus = -25303
/// The reference does not point to an item, perhaps because the item was deleted.
public let errSecInvalidItemRef: OSStatus = -25304
/// The search is invalid.
public let errSecInvalidSearchRef: OSStatus = -25305
/// There is no such class of items.
public let errSecNoSuchClass: OSStatus = -25306
/// There is no default keychain.
public let errSecNoDefaultKeychain: OSStatus = -25307
/// The item is locked, or the user would have to be asked but interaction is not allowed.
public let errSecInteractionNotAllowed: OSStatus = -25308
/// The attribute is read-only.
public let errSecReadOnlyAttr: OSStatus = -25309
/// The keychain has a version that this software cannot read.
public let errSecWrongSecVersion: OSStatus = -25310
/// Keys of this size are not allowed.
public let errSecKeySizeNotAllowed: OSStatus = -25311
/// The storage module is not available.
public let errSecNoStorageModule: OSStatus = -25312
/// The certificate module is not available.
public let errSecNoCertificateModule: OSStatus = -25313
/// The policy module is not available.
public let errSecNoPolicyModule: OSStatus = -25314
/// The user has to be asked, but interaction is not allowed now.
public let errSecInteractionRequired: OSStatus = -25315
/// The item's value is not available.
public let errSecDataNotAvailable: OSStatus = -25316
/// The item's value cannot be changed.
public let errSecDataNotModifiable: OSStatus = -25317
/// The certificate chain is incomplete.
public let errSecCreateChainFailed: OSStatus = -25318
/// The preference domain is invalid.
public let errSecInvalidPrefsDomain: OSStatus = -25319
/// The device is in dark wake, and the user cannot be asked.
public let errSecInDarkWake: OSStatus = -25320
/// The access list is not in simple form.
public let errSecACLNotSimple: OSStatus = -25240
/// There is no such policy.
public let errSecPolicyNotFound: OSStatus = -25241
/// A trust setting is invalid.
public let errSecInvalidTrustSetting: OSStatus = -25242
/// The item has no access list.
public let errSecNoAccessForItem: OSStatus = -25243
/// The change of the item's owner is invalid.
public let errSecInvalidOwnerEdit: OSStatus = -25244
/// Trust has not been evaluated.
public let errSecTrustNotAvailable: OSStatus = -25245
/// The format is not supported for import or export.
public let errSecUnsupportedFormat: OSStatus = -25256
/// The format of the imported data was not recognized.
public let errSecUnknownFormat: OSStatus = -25257
/// The key can be exported only in wrapped form.
public let errSecKeyIsSensitive: OSStatus = -25258
/// The import contains more than one private key.
public let errSecMultiplePrivKeys: OSStatus = -25259
/// A password is needed for this import or export.
public let errSecPassphraseRequired: OSStatus = -25260
/// The reference to the password is invalid.
public let errSecInvalidPasswordRef: OSStatus = -25261
/// The record of trust settings is damaged.
public let errSecInvalidTrustSettings: OSStatus = -25262
/// There are no trust settings.
public let errSecNoTrustSettings: OSStatus = -25263
/// The PKCS #12 file could not be verified: it is damaged, or the password is wrong.
public let errSecPkcs12VerifyFailure: OSStatus = -25264
/// The certificate was not signed by its proposed issuer.
public let errSecNotSigner: OSStatus = -26267
/// The data cannot be decoded.
public let errSecDecode: OSStatus = -26275

extension StatusMessages {
  static let keychain: [OSStatus: String] = [
    errSecSuccess: "The call succeeded.",
    errSecUnimplemented: "The function or the option is not implemented.",
    errSecDiskFull: "No space is left on the disk.",
    errSecIO: "Reading or writing failed.",
    errSecOpWr: "The file is open for writing elsewhere.",
    errSecParam: "An argument is invalid.",
    errSecWrPerm: "Writing is not permitted.",
    errSecAllocate: "There is not enough memory.",
    errSecUserCanceled: "The user cancelled the request.",
    errSecBadReq: "The request is invalid, or not valid in the current state.",
    errSecInternalComponent: "An internal component failed.",
    errSecCoreFoundationUnknown: "Core Foundation reported an unknown error.",
    errSecMissingEntitlement:
      "The process lacks a required entitlement, such as the item's access group.",
    errSecRestrictedAPI: "The process is not allowed to make this call.",
    errSecNotAvailable: "No keychain is available.",
    errSecReadOnly: "The keychain is read-only.",
    errSecAuthFailed: "The user or the password was not accepted.",
    errSecNoSuchKeychain: "There is no such keychain.",
    errSecInvalidKeychain: "The file is not a keychain, or it is damaged.",
    errSecDuplicateKeychain: "A keychain with this name already exists.",
    errSecDuplicateCallback: "The callback is already installed.",
    errSecInvalidCallback: "The callback is invalid.",
    errSecDuplicateItem: "The keychain already has this item.",
    errSecItemNotFound: "The keychain has no such item.",
    errSecBufferTooSmall: "The buffer is too small for the result.",
    errSecDataTooLarge: "The data is too large.",
    errSecNoSuchAttr: "Items of this class have no such attribute.",
    errSecInvalidItemRef:
      "The reference does not point to an item, perhaps because the item was deleted.",
    errSecInvalidSearchRef: "The search is invalid.",
    errSecNoSuchClass: "There is no such class of items.",
    errSecNoDefaultKeychain: "There is no default keychain.",
    errSecInteractionNotAllowed:
      "The item is locked, or the user would have to be asked but interaction is not allowed.",
    errSecReadOnlyAttr: "The attribute is read-only.",
    errSecWrongSecVersion: "The keychain has a version that this software cannot read.",
    errSecKeySizeNotAllowed: "Keys of this size are not allowed.",
    errSecNoStorageModule: "The storage module is not available.",
    errSecNoCertificateModule: "The certificate module is not available.",
    errSecNoPolicyModule: "The policy module is not available.",
    errSecInteractionRequired: "The user has to be asked, but interaction is not allowed now.",
    errSecDataNotAvailable: "The item's value is not available.",
    errSecDataNotModifiable: "The item's value cannot be changed.",
    errSecCreateChainFailed: "The certificate chain is incomplete.",
    errSecInvalidPrefsDomain: "The preference domain is invalid.",
    errSecInDarkWake: "The device is in dark wake, and the user cannot be asked.",
    errSecACLNotSimple: "The access list is not in simple form.",
    errSecPolicyNotFound: "There is no such policy.",
    errSecInvalidTrustSetting: "A trust setting is invalid.",
    errSecNoAccessForItem: "The item has no access list.",
    errSecInvalidOwnerEdit: "The change of the item's owner is invalid.",
    errSecTrustNotAvailable: "Trust has not been evaluated.",
    errSecUnsupportedFormat: "The format is not supported for import or export.",
    errSecUnknownFormat: "The format of the imported data was not recognized.",
    errSecKeyIsSensitive: "The key can be exported only in wrapped form.",
    errSecMultiplePrivKeys: "The import contains more than one private key.",
    errSecPassphraseRequired: "A password is needed for this import or export.",
    errSecInvalidPasswordRef: "The reference to the password is invalid.",
    errSecInvalidTrustSettings: "The record of trust settings is damaged.",
    errSecNoTrustSettings: "There are no trust settings.",
    errSecPkcs12VerifyFailure:
      "The PKCS #12 file could not be verified: it is damaged, or the password is wrong.",
    errSecNotSigner: "The certificate was not signed by its proposed issuer.",
    errSecDecode: "The data cannot be decoded.",
  ]
}
