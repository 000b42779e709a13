// Status codes of cryptographic modules, which Apple keeps from CSSM.

/// The library has not been initialized.
public let errSecNotInitialized: OSStatus = -67667
/// The handle is not for this use.
public let errSecInvalidHandleUsage: OSStatus = -67668
/// The caller's object was not found.
public let errSecPVCReferentNotFound: OSStatus = -67669
/// The function's integrity does not verify.
public let errSecFunctionIntegrityFail: OSStatus = -67670
/// Something failed inside.
public let errSecInternalError: OSStatus = -67671
/// Memory could not be used.
public let errSecMemoryError: OSStatus = -67672
/// The data is invalid.
public let errSecInvalidData: OSStatus = -67673
/// The directory of modules failed.
public let errSecMDSError: OSStatus = -67674
/// A pointer is invalid.
public let errSecInvalidPointer: OSStatus = -67675
/// The module's check of itself failed.
public let errSecSelfCheckFailed: OSStatus = -67676
/// The function failed.
public let errSecFunctionFailed: OSStatus = -67677
/// The module's manifest does not verify.
public let errSecModuleManifestVerifyFailed: OSStatus = -67678
/// The GUID is invalid.
public let errSecInvalidGUID: OSStatus = -67679
/// The handle is invalid.
public let errSecInvalidHandle: OSStatus = -67680
/// The list of databases is invalid.
public let errSecInvalidDBList: OSStatus = -67681
/// The number of the passed-through call is invalid.
public let errSecInvalidPassthroughID: OSStatus = -67682
/// The network address is invalid.
public let errSecInvalidNetworkAddress: OSStatus = -67683
/// The revocation list is signed already.
public let errSecCRLAlreadySigned: OSStatus = -67684
/// The number of fields is wrong.
public let errSecInvalidNumberOfFields: OSStatus = -67685
/// The verification failed.
public let errSecVerificationFailure: OSStatus = -67686
/// The tag is unknown.
public let errSecUnknownTag: OSStatus = -67687
/// The signature is invalid.
public let errSecInvalidSignature: OSStatus = -67688
/// The name is invalid.
public let errSecInvalidName: OSStatus = -67689
/// The certificate's reference is invalid.
public let errSecInvalidCertificateRef: OSStatus = -67690
/// The group of certificates is invalid.
public let errSecInvalidCertificateGroup: OSStatus = -67691
/// There is no such tag.
public let errSecTagNotFound: OSStatus = -67692
/// The query is invalid.
public let errSecInvalidQuery: OSStatus = -67693
/// The value is invalid.
public let errSecInvalidValue: OSStatus = -67694
/// The callback failed.
public let errSecCallbackFailed: OSStatus = -67695
/// The access list could not be deleted.
public let errSecACLDeleteFailed: OSStatus = -67696
/// The access list could not be replaced.
public let errSecACLReplaceFailed: OSStatus = -67697
/// Nothing could be added to the access list.
public let errSecACLAddFailed: OSStatus = -67698
/// The access list could not be changed.
public let errSecACLChangeFailed: OSStatus = -67699
/// The credentials for access are invalid.
public let errSecInvalidAccessCredentials: OSStatus = -67700
/// The record is invalid.
public let errSecInvalidRecord: OSStatus = -67701
/// The access list is invalid.
public let errSecInvalidACL: OSStatus = -67702
/// The sample is invalid.
public let errSecInvalidSampleValue: OSStatus = -67703
/// The versions do not go together.
public let errSecIncompatibleVersion: OSStatus = -67704
/// The privilege was refused.
public let errSecPrivilegeNotGranted: OSStatus = -67705
/// The scope is invalid.
public let errSecInvalidScope: OSStatus = -67706
/// The check of pointers is set up already.
public let errSecPVCAlreadyConfigured: OSStatus = -67707
/// The check of pointers is invalid.
public let errSecInvalidPVC: OSStatus = -67708
/// The manager of modules could not be loaded.
public let errSecEMMLoadFailed: OSStatus = -67709
/// The manager of modules could not be unloaded.
public let errSecEMMUnloadFailed: OSStatus = -67710
/// The add-in could not be loaded.
public let errSecAddinLoadFailed: OSStatus = -67711
/// The key's reference is invalid.
public let errSecInvalidKeyRef: OSStatus = -67712
/// The keys' hierarchy is invalid.
public let errSecInvalidKeyHierarchy: OSStatus = -67713
/// The add-in could not be unloaded.
public let errSecAddinUnloadFailed: OSStatus = -67714
/// There is no reference to the library.
public let errSecLibraryReferenceNotFound: OSStatus = -67715
/// The add-in's table of functions is invalid.
public let errSecInvalidAddinFunctionTable: OSStatus = -67716
/// The mask of services is invalid.
public let errSecInvalidServiceMask: OSStatus = -67717
/// The module is not loaded.
public let errSecModuleNotLoaded: OSStatus = -67718
/// The number of the subservice is invalid.
public let errSecInvalidSubServiceID: OSStatus = -67719
/// The context lacks an attribute.
public let errSecAttributeNotInContext: OSStatus = -67720
/// The manager of modules could not be initialized.
public let errSecModuleManagerInitializeFailed: OSStatus = -67721
/// There is no manager of modules.
public let errSecModuleManagerNotFound: OSStatus = -67722
/// There is no callback for events.
public let errSecEventNotificationCallbackNotFound: OSStatus = -67723
/// The input is of the wrong length.
public let errSecInputLengthError: OSStatus = -67724
/// The output is of the wrong length.
public let errSecOutputLengthError: OSStatus = -67725
/// There is no such privilege.
public let errSecPrivilegeNotSupported: OSStatus = -67726
/// The device reports an error.
public let errSecDeviceError: OSStatus = -67727
/// The handle is in use.
public let errSecAttachHandleBusy: OSStatus = -67728
/// Nobody is logged in.
public let errSecNotLoggedIn: OSStatus = -67729
/// The key is of another algorithm.
public let errSecAlgorithmMismatch: OSStatus = -67730
/// The key is not for this use.
public let errSecKeyUsageIncorrect: OSStatus = -67731
/// The key's record is of the wrong type.
public let errSecKeyBlobTypeIncorrect: OSStatus = -67732
/// The key's header contradicts itself.
public let errSecKeyHeaderInconsistent: OSStatus = -67733
/// Keys of this format are not supported.
public let errSecUnsupportedKeyFormat: OSStatus = -67734
/// Keys of this size are not supported.
public let errSecUnsupportedKeySize: OSStatus = -67735
/// The mask of the key's uses is invalid.
public let errSecInvalidKeyUsageMask: OSStatus = -67736
/// Some of the key's uses are not supported.
public let errSecUnsupportedKeyUsageMask: OSStatus = -67737
/// The mask of the key's attributes is invalid.
public let errSecInvalidKeyAttributeMask: OSStatus = -67738
/// Some of the key's attributes are not supported.
public let errSecUnsupportedKeyAttributeMask: OSStatus = -67739
/// The key's label is invalid.
public let errSecInvalidKeyLabel: OSStatus = -67740
/// The key's label is not supported.
public let errSecUnsupportedKeyLabel: OSStatus = -67741
/// The key's format is invalid.
public let errSecInvalidKeyFormat: OSStatus = -67742
/// Several buffers at once are not supported.
public let errSecUnsupportedVectorOfBuffers: OSStatus = -67743
/// The input's buffers are invalid.
public let errSecInvalidInputVector: OSStatus = -67744
/// The output's buffers are invalid.
public let errSecInvalidOutputVector: OSStatus = -67745
/// The context is invalid.
public let errSecInvalidContext: OSStatus = -67746
/// The algorithm is invalid.
public let errSecInvalidAlgorithm: OSStatus = -67747

extension StatusMessages {
  static let module: [OSStatus: String] = [
    errSecNotInitialized: "The library has not been initialized.",
    errSecInvalidHandleUsage: "The handle is not for this use.",
    errSecPVCReferentNotFound: "The caller's object was not found.",
    errSecFunctionIntegrityFail: "The function's integrity does not verify.",
    errSecInternalError: "Something failed inside.",
    errSecMemoryError: "Memory could not be used.",
    errSecInvalidData: "The data is invalid.",
    errSecMDSError: "The directory of modules failed.",
    errSecInvalidPointer: "A pointer is invalid.",
    errSecSelfCheckFailed: "The module's check of itself failed.",
    errSecFunctionFailed: "The function failed.",
    errSecModuleManifestVerifyFailed: "The module's manifest does not verify.",
    errSecInvalidGUID: "The GUID is invalid.",
    errSecInvalidHandle: "The handle is invalid.",
    errSecInvalidDBList: "The list of databases is invalid.",
    errSecInvalidPassthroughID: "The number of the passed-through call is invalid.",
    errSecInvalidNetworkAddress: "The network address is invalid.",
    errSecCRLAlreadySigned: "The revocation list is signed already.",
    errSecInvalidNumberOfFields: "The number of fields is wrong.",
    errSecVerificationFailure: "The verification failed.",
    errSecUnknownTag: "The tag is unknown.",
    errSecInvalidSignature: "The signature is invalid.",
    errSecInvalidName: "The name is invalid.",
    errSecInvalidCertificateRef: "The certificate's reference is invalid.",
    errSecInvalidCertificateGroup: "The group of certificates is invalid.",
    errSecTagNotFound: "There is no such tag.",
    errSecInvalidQuery: "The query is invalid.",
    errSecInvalidValue: "The value is invalid.",
    errSecCallbackFailed: "The callback failed.",
    errSecACLDeleteFailed: "The access list could not be deleted.",
    errSecACLReplaceFailed: "The access list could not be replaced.",
    errSecACLAddFailed: "Nothing could be added to the access list.",
    errSecACLChangeFailed: "The access list could not be changed.",
    errSecInvalidAccessCredentials: "The credentials for access are invalid.",
    errSecInvalidRecord: "The record is invalid.",
    errSecInvalidACL: "The access list is invalid.",
    errSecInvalidSampleValue: "The sample is invalid.",
    errSecIncompatibleVersion: "The versions do not go together.",
    errSecPrivilegeNotGranted: "The privilege was refused.",
    errSecInvalidScope: "The scope is invalid.",
    errSecPVCAlreadyConfigured: "The check of pointers is set up already.",
    errSecInvalidPVC: "The check of pointers is invalid.",
    errSecEMMLoadFailed: "The manager of modules could not be loaded.",
    errSecEMMUnloadFailed: "The manager of modules could not be unloaded.",
    errSecAddinLoadFailed: "The add-in could not be loaded.",
    errSecInvalidKeyRef: "The key's reference is invalid.",
    errSecInvalidKeyHierarchy: "The keys' hierarchy is invalid.",
    errSecAddinUnloadFailed: "The add-in could not be unloaded.",
    errSecLibraryReferenceNotFound: "There is no reference to the library.",
    errSecInvalidAddinFunctionTable: "The add-in's table of functions is invalid.",
    errSecInvalidServiceMask: "The mask of services is invalid.",
    errSecModuleNotLoaded: "The module is not loaded.",
    errSecInvalidSubServiceID: "The number of the subservice is invalid.",
    errSecAttributeNotInContext: "The context lacks an attribute.",
    errSecModuleManagerInitializeFailed: "The manager of modules could not be initialized.",
    errSecModuleManagerNotFound: "There is no manager of modules.",
    errSecEventNotificationCallbackNotFound: "There is no callback for events.",
    errSecInputLengthError: "The input is of the wrong length.",
    errSecOutputLengthError: "The output is of the wrong length.",
    errSecPrivilegeNotSupported: "There is no such privilege.",
    errSecDeviceError: "The device reports an error.",
    errSecAttachHandleBusy: "The handle is in use.",
    errSecNotLoggedIn: "Nobody is logged in.",
    errSecAlgorithmMismatch: "The key is of another algorithm.",
    errSecKeyUsageIncorrect: "The key is not for this use.",
    errSecKeyBlobTypeIncorrect: "The key's record is of the wrong type.",
    errSecKeyHeaderInconsistent: "The key's header contradicts itself.",
    errSecUnsupportedKeyFormat: "Keys of this format are not supported.",
    errSecUnsupportedKeySize: "Keys of this size are not supported.",
    errSecInvalidKeyUsageMask: "The mask of the key's uses is invalid.",
    errSecUnsupportedKeyUsageMask: "Some of the key's uses are not supported.",
    errSecInvalidKeyAttributeMask: "The mask of the key's attributes is invalid.",
    errSecUnsupportedKeyAttributeMask: "Some of the key's attributes are not supported.",
    errSecInvalidKeyLabel: "The key's label is invalid.",
    errSecUnsupportedKeyLabel: "The key's label is not supported.",
    errSecInvalidKeyFormat: "The key's format is invalid.",
    errSecUnsupportedVectorOfBuffers: "Several buffers at once are not supported.",
    errSecInvalidInputVector: "The input's buffers are invalid.",
    errSecInvalidOutputVector: "The output's buffers are invalid.",
    errSecInvalidContext: "The context is invalid.",
    errSecInvalidAlgorithm: "The algorithm is invalid.",
  ]
}
