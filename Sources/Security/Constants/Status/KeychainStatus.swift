// Status codes of the system, of keychains and of their items.

/// All went well.
public let errSecSuccess: OSStatus = 0
/// This is not implemented.
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
/// Memory ran out.
public let errSecAllocate: OSStatus = -108
/// The person canceled.
public let errSecUserCanceled: OSStatus = -128
/// The request is invalid, or does not fit the present state.
public let errSecBadReq: OSStatus = -909
/// A part of the system failed inside.
public let errSecInternalComponent: OSStatus = -2070
/// Core Foundation failed and does not say why.
public let errSecCoreFoundationUnknown: OSStatus = -4960
/// The process lacks an entitlement for this, such as the item's access group.
public let errSecMissingEntitlement: OSStatus = -34018
/// The process may not make this call.
public let errSecRestrictedAPI: OSStatus = -34020
/// There is no keychain to work with.
public let errSecNotAvailable: OSStatus = -25291
/// The keychain is read-only.
public let errSecReadOnly: OSStatus = -25292
/// The person or the password was not accepted.
public let errSecAuthFailed: OSStatus = -25293
/// There is no such keychain.
public let errSecNoSuchKeychain: OSStatus = -25294
/// The file is no keychain, or a damaged one.
public let errSecInvalidKeychain: OSStatus = -25295
/// A keychain of this name exists.
public let errSecDuplicateKeychain: OSStatus = -25296
/// The callback is installed already.
public let errSecDuplicateCallback: OSStatus = -25297
/// The callback is invalid.
public let errSecInvalidCallback: OSStatus = -25298
/// The keychain has this item already.
public let errSecDuplicateItem: OSStatus = -25299
/// The keychain has no such item.
public let errSecItemNotFound: OSStatus = -25300
/// The buffer cannot hold the result.
public let errSecBufferTooSmall: OSStatus = -25301
/// The data is larger than can be handled.
public let errSecDataTooLarge: OSStatus = -25302
/// Items of this class have no such attribute.
public let errSecNoSuchAttr: OSStatus = -25303
/// The reference leads to no item, perhaps because it was deleted.
public let errSecInvalidItemRef: OSStatus = -25304
/// The search is invalid.
public let errSecInvalidSearchRef: OSStatus = -25305
/// There is no such class of items.
public let errSecNoSuchClass: OSStatus = -25306
/// No keychain is the default one.
public let errSecNoDefaultKeychain: OSStatus = -25307
/// The item is locked, or a person would have to be asked and may not be.
public let errSecInteractionNotAllowed: OSStatus = -25308
/// The attribute is read-only.
public let errSecReadOnlyAttr: OSStatus = -25309
/// The keychain is of a version that this software does not read.
public let errSecWrongSecVersion: OSStatus = -25310
/// Keys of this size are not allowed.
public let errSecKeySizeNotAllowed: OSStatus = -25311
/// The module for storage is not there.
public let errSecNoStorageModule: OSStatus = -25312
/// The module for certificates is not there.
public let errSecNoCertificateModule: OSStatus = -25313
/// The module for policies is not there.
public let errSecNoPolicyModule: OSStatus = -25314
/// A person has to be asked, and may not be now.
public let errSecInteractionRequired: OSStatus = -25315
/// The item's value is not there to be read.
public let errSecDataNotAvailable: OSStatus = -25316
/// The item's value cannot be changed.
public let errSecDataNotModifiable: OSStatus = -25317
/// The certificate's chain lacks certificates.
public let errSecCreateChainFailed: OSStatus = -25318
/// The domain of preferences is invalid.
public let errSecInvalidPrefsDomain: OSStatus = -25319
/// The device is awake for chores alone, and nobody can be asked.
public let errSecInDarkWake: OSStatus = -25320
/// The access list is not of the simple form.
public let errSecACLNotSimple: OSStatus = -25240
/// There is no such policy.
public let errSecPolicyNotFound: OSStatus = -25241
/// A trust setting is invalid.
public let errSecInvalidTrustSetting: OSStatus = -25242
/// The item has no access list.
public let errSecNoAccessForItem: OSStatus = -25243
/// The item's owner cannot be changed so.
public let errSecInvalidOwnerEdit: OSStatus = -25244
/// Trust has not been evaluated.
public let errSecTrustNotAvailable: OSStatus = -25245
/// The format is not one for import or export.
public let errSecUnsupportedFormat: OSStatus = -25256
/// The format of what is imported was not recognized.
public let errSecUnknownFormat: OSStatus = -25257
/// The key leaves wrapped alone.
public let errSecKeyIsSensitive: OSStatus = -25258
/// More than one private key would be imported.
public let errSecMultiplePrivKeys: OSStatus = -25259
/// A password is needed for this import or export.
public let errSecPassphraseRequired: OSStatus = -25260
/// The reference to the password is invalid.
public let errSecInvalidPasswordRef: OSStatus = -25261
/// The record of trust settings is damaged.
public let errSecInvalidTrustSettings: OSStatus = -25262
/// There are no trust settings.
public let errSecNoTrustSettings: OSStatus = -25263
/// The PKCS #12 file does not verify: it is damaged, or the password is wrong.
public let errSecPkcs12VerifyFailure: OSStatus = -25264
/// The certificate was not signed by the one that was named as its issuer.
public let errSecNotSigner: OSStatus = -26267
/// The data cannot be decoded.
public let errSecDecode: OSStatus = -26275

extension StatusMessages {
  static let keychain: [OSStatus: String] = [
    errSecSuccess: "All went well.",
    errSecUnimplemented: "This is not implemented.",
    errSecDiskFull: "No space is left on the disk.",
    errSecIO: "Reading or writing failed.",
    errSecOpWr: "The file is open for writing elsewhere.",
    errSecParam: "An argument is invalid.",
    errSecWrPerm: "Writing is not permitted.",
    errSecAllocate: "Memory ran out.",
    errSecUserCanceled: "The person canceled.",
    errSecBadReq: "The request is invalid, or does not fit the present state.",
    errSecInternalComponent: "A part of the system failed inside.",
    errSecCoreFoundationUnknown: "Core Foundation failed and does not say why.",
    errSecMissingEntitlement:
      "The process lacks an entitlement for this, such as the item's access group.",
    errSecRestrictedAPI: "The process may not make this call.",
    errSecNotAvailable: "There is no keychain to work with.",
    errSecReadOnly: "The keychain is read-only.",
    errSecAuthFailed: "The person or the password was not accepted.",
    errSecNoSuchKeychain: "There is no such keychain.",
    errSecInvalidKeychain: "The file is no keychain, or a damaged one.",
    errSecDuplicateKeychain: "A keychain of this name exists.",
    errSecDuplicateCallback: "The callback is installed already.",
    errSecInvalidCallback: "The callback is invalid.",
    errSecDuplicateItem: "The keychain has this item already.",
    errSecItemNotFound: "The keychain has no such item.",
    errSecBufferTooSmall: "The buffer cannot hold the result.",
    errSecDataTooLarge: "The data is larger than can be handled.",
    errSecNoSuchAttr: "Items of this class have no such attribute.",
    errSecInvalidItemRef: "The reference leads to no item, perhaps because it was deleted.",
    errSecInvalidSearchRef: "The search is invalid.",
    errSecNoSuchClass: "There is no such class of items.",
    errSecNoDefaultKeychain: "No keychain is the default one.",
    errSecInteractionNotAllowed:
      "The item is locked, or a person would have to be asked and may not be.",
    errSecReadOnlyAttr: "The attribute is read-only.",
    errSecWrongSecVersion: "The keychain is of a version that this software does not read.",
    errSecKeySizeNotAllowed: "Keys of this size are not allowed.",
    errSecNoStorageModule: "The module for storage is not there.",
    errSecNoCertificateModule: "The module for certificates is not there.",
    errSecNoPolicyModule: "The module for policies is not there.",
    errSecInteractionRequired: "A person has to be asked, and may not be now.",
    errSecDataNotAvailable: "The item's value is not there to be read.",
    errSecDataNotModifiable: "The item's value cannot be changed.",
    errSecCreateChainFailed: "The certificate's chain lacks certificates.",
    errSecInvalidPrefsDomain: "The domain of preferences is invalid.",
    errSecInDarkWake: "The device is awake for chores alone, and nobody can be asked.",
    errSecACLNotSimple: "The access list is not of the simple form.",
    errSecPolicyNotFound: "There is no such policy.",
    errSecInvalidTrustSetting: "A trust setting is invalid.",
    errSecNoAccessForItem: "The item has no access list.",
    errSecInvalidOwnerEdit: "The item's owner cannot be changed so.",
    errSecTrustNotAvailable: "Trust has not been evaluated.",
    errSecUnsupportedFormat: "The format is not one for import or export.",
    errSecUnknownFormat: "The format of what is imported was not recognized.",
    errSecKeyIsSensitive: "The key leaves wrapped alone.",
    errSecMultiplePrivKeys: "More than one private key would be imported.",
    errSecPassphraseRequired: "A password is needed for this import or export.",
    errSecInvalidPasswordRef: "The reference to the password is invalid.",
    errSecInvalidTrustSettings: "The record of trust settings is damaged.",
    errSecNoTrustSettings: "There are no trust settings.",
    errSecPkcs12VerifyFailure:
      "The PKCS #12 file does not verify: it is damaged, or the password is wrong.",
    errSecNotSigner: "The certificate was not signed by the one that was named as its issuer.",
    errSecDecode: "The data cannot be decoded.",
  ]
}
