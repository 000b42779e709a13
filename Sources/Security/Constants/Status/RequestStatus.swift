// Status codes of requests, verification and timestamps.

/// A staged operation is in progress.
public let errSecStagedOperationInProgress: OSStatus = -67806
/// No staged operation was started.
public let errSecStagedOperationNotStarted: OSStatus = -67807
/// A cryptographic verification failed.
public let errSecVerifyFailed: OSStatus = -67808
/// The size of the result is not known.
public let errSecQuerySizeUnknown: OSStatus = -67809
/// The block size does not match.
public let errSecBlockSizeMismatch: OSStatus = -67810
/// The public key is inconsistent.
public let errSecPublicKeyInconsistent: OSStatus = -67811
/// The device could not be verified.
public let errSecDeviceVerifyFailed: OSStatus = -67812
/// The login name is invalid.
public let errSecInvalidLoginName: OSStatus = -67813
/// A user is already logged in.
public let errSecAlreadyLoggedIn: OSStatus = -67814
/// The digest algorithm is invalid.
public let errSecInvalidDigestAlgorithm: OSStatus = -67815
/// The revocation list group is invalid.
public let errSecInvalidCRLGroup: OSStatus = -67816
/// The certificate cannot perform this operation.
public let errSecCertificateCannotOperate: OSStatus = -67817
/// The certificate has expired.
public let errSecCertificateExpired: OSStatus = -67818
/// The certificate is not valid yet.
public let errSecCertificateNotValidYet: OSStatus = -67819
/// The certificate has been revoked.
public let errSecCertificateRevoked: OSStatus = -67820
/// The certificate is suspended.
public let errSecCertificateSuspended: OSStatus = -67821
/// The credentials are not sufficient.
public let errSecInsufficientCredentials: OSStatus = -67822
/// The action is invalid.
public let errSecInvalidAction: OSStatus = -67823
/// The authority is invalid.
public let errSecInvalidAuthority: OSStatus = -67824
/// The verification action failed.
public let errSecVerifyActionFailed: OSStatus = -67825
/// The certificate authority is invalid.
public let errSecInvalidCertAuthority: OSStatus = -67826
/// The revocation list authority is invalid.
public let errSecInvalidCRLAuthority: OSStatus = -67827
/// The former spelling of ``errSecInvalidCRLAuthority``.
@available(*, deprecated, renamed: "errSecInvalidCRLAuthority")
public let errSecInvaldCRLAuthority: OSStatus = errSecInvalidCRLAuthority
/// The revocation list's encoding is invalid.
public let errSecInvalidCRLEncoding: OSStatus = -67828
/// The revocation list's type is invalid.
public let errSecInvalidCRLType: OSStatus = -67829
/// The revocation list is invalid.
public let errSecInvalidCRL: OSStatus = -67830
/// The form's type is invalid.
public let errSecInvalidFormType: OSStatus = -67831
/// The ID is invalid.
public let errSecInvalidID: OSStatus = -67832
/// The identifier is invalid.
public let errSecInvalidIdentifier: OSStatus = -67833
/// The index is invalid.
public let errSecInvalidIndex: OSStatus = -67834
/// The policy identifiers are invalid.
public let errSecInvalidPolicyIdentifiers: OSStatus = -67835
/// The time string is invalid.
public let errSecInvalidTimeString: OSStatus = -67836
/// The trust policy reason is invalid.
public let errSecInvalidReason: OSStatus = -67837
/// The request inputs are invalid.
public let errSecInvalidRequestInputs: OSStatus = -67838
/// The response vector is invalid.
public let errSecInvalidResponseVector: OSStatus = -67839
/// The stop-on policy is invalid.
public let errSecInvalidStopOnPolicy: OSStatus = -67840
/// The tuple is invalid.
public let errSecInvalidTuple: OSStatus = -67841
/// Multiple values are not supported.
public let errSecMultipleValuesUnsupported: OSStatus = -67842
/// The certificate is not trusted.
public let errSecNotTrusted: OSStatus = -67843
/// There is no default authority.
public let errSecNoDefaultAuthority: OSStatus = -67844
/// The form was rejected.
public let errSecRejectedForm: OSStatus = -67845
/// The request was lost.
public let errSecRequestLost: OSStatus = -67846
/// The request was rejected.
public let errSecRequestRejected: OSStatus = -67847
/// Addresses of this type are not supported.
public let errSecUnsupportedAddressType: OSStatus = -67848
/// The service is not supported.
public let errSecUnsupportedService: OSStatus = -67849
/// The tuple group is invalid.
public let errSecInvalidTupleGroup: OSStatus = -67850
/// The base access lists are invalid.
public let errSecInvalidBaseACLs: OSStatus = -67851
/// The tuple credentials are invalid.
public let errSecInvalidTupleCredentials: OSStatus = -67852
/// The former spelling of ``errSecInvalidTupleCredentials``.
@available(*, deprecated, renamed: "errSecInvalidTupleCredentials")
public let errSecInvalidTupleCredendtials: OSStatus = errSecInvalidTupleCredentials
/// The encoding is invalid.
public let errSecInvalidEncoding: OSStatus = -67853
/// The validity period is invalid.
public let errSecInvalidValidityPeriod: OSStatus = -67854
/// The requestor is invalid.
public let errSecInvalidRequestor: OSStatus = -67855
/// The request descriptor is invalid.
public let errSecRequestDescriptor: OSStatus = -67856
/// The bundle information is invalid.
public let errSecInvalidBundleInfo: OSStatus = -67857
/// The index into the revocation list is invalid.
public let errSecInvalidCRLIndex: OSStatus = -67858
/// The fields have no values.
public let errSecNoFieldValues: OSStatus = -67859
/// Fields of this format are not supported.
public let errSecUnsupportedFieldFormat: OSStatus = -67860
/// The index information is not supported.
public let errSecUnsupportedIndexInfo: OSStatus = -67861
/// The locality is not supported.
public let errSecUnsupportedLocality: OSStatus = -67862
/// The number of attributes is not supported.
public let errSecUnsupportedNumAttributes: OSStatus = -67863
/// The number of indexes is not supported.
public let errSecUnsupportedNumIndexes: OSStatus = -67864
/// The number of record types is not supported.
public let errSecUnsupportedNumRecordTypes: OSStatus = -67865
/// A field was given more than once.
public let errSecFieldSpecifiedMultiple: OSStatus = -67866
/// The field format is incompatible.
public let errSecIncompatibleFieldFormat: OSStatus = -67867
/// The parsing module is invalid.
public let errSecInvalidParsingModule: OSStatus = -67868
/// The database is locked.
public let errSecDatabaseLocked: OSStatus = -67869
/// The data store is open.
public let errSecDatastoreIsOpen: OSStatus = -67870
/// A value is missing.
public let errSecMissingValue: OSStatus = -67871
/// The query limits are not supported.
public let errSecUnsupportedQueryLimits: OSStatus = -67872
/// The number of query conditions is not supported.
public let errSecUnsupportedNumSelectionPreds: OSStatus = -67873
/// The operator is not supported.
public let errSecUnsupportedOperator: OSStatus = -67874
/// The database location is invalid.
public let errSecInvalidDBLocation: OSStatus = -67875
/// The access request is invalid.
public let errSecInvalidAccessRequest: OSStatus = -67876
/// The index information is invalid.
public let errSecInvalidIndexInfo: OSStatus = -67877
/// The new owner is invalid.
public let errSecInvalidNewOwner: OSStatus = -67878
/// The mode for modifying records is invalid.
public let errSecInvalidModifyMode: OSStatus = -67879
/// The certificate lacks a required extension.
public let errSecMissingRequiredExtension: OSStatus = -67880
/// The extended key usage is not critical.
public let errSecExtendedKeyUsageNotCritical: OSStatus = -67881
/// An expected timestamp is missing.
public let errSecTimestampMissing: OSStatus = -67882
/// The timestamp is invalid.
public let errSecTimestampInvalid: OSStatus = -67883
/// The timestamp is not trusted.
public let errSecTimestampNotTrusted: OSStatus = -67884
/// The timestamp service is not available.
public let errSecTimestampServiceNotAvailable: OSStatus = -67885
/// The timestamp service does not support the algorithm.
public let errSecTimestampBadAlg: OSStatus = -67886
/// The timestamp service does not allow or support the request.
public let errSecTimestampBadRequest: OSStatus = -67887
/// The timestamp service could not read the request.
public let errSecTimestampBadDataFormat: OSStatus = -67888
/// The time source of the timestamp service is not available.
public let errSecTimestampTimeNotAvailable: OSStatus = -67889
/// The timestamp service does not support the requested policy.
public let errSecTimestampUnacceptedPolicy: OSStatus = -67890
/// The timestamp service does not support the requested extension.
public let errSecTimestampUnacceptedExtension: OSStatus = -67891
/// The timestamp service cannot provide the additional information.
public let errSecTimestampAddInfoNotAvailable: OSStatus = -67892
/// The timestamp service failed.
public let errSecTimestampSystemFailure: OSStatus = -67893
/// The signing time is missing.
public let errSecSigningTimeMissing: OSStatus = -67894
/// The timestamp service rejected the request.
public let errSecTimestampRejection: OSStatus = -67895
/// The timestamp service has not answered yet.
public let errSecTimestampWaiting: OSStatus = -67896
/// The timestamp service's certificate is about to be revoked.
public let errSecTimestampRevocationWarning: OSStatus = -67897
/// The timestamp service's certificate has been revoked.
public let errSecTimestampRevocationNotification: OSStatus = -67898
/// The certificate's issuer does not allow the policy.
public let errSecCertificatePolicyNotAllowed: OSStatus = -67899
/// The certificate's issuer does not allow the name.
public let errSecCertificateNameNotAllowed: OSStatus = -67900
/// The certificate is valid for longer than allowed.
public let errSecCertificateValidityPeriodTooLong: OSStatus = -67901
/// The certificate belongs to an authority, but an end-entity certificate is required.
public let errSecCertificateIsCA: OSStatus = -67902
/// The certificate contains a duplicate extension.
public let errSecCertificateDuplicateExtension: OSStatus = -67903
/// The certificate lacks a required qualified certificate statement.
public let errSecMissingQualifiedCertStatement: OSStatus = -67904

extension StatusMessages {
  static let request: [OSStatus: String] = [
    errSecStagedOperationInProgress: "A staged operation is in progress.",
    errSecStagedOperationNotStarted: "No staged operation was started.",
    errSecVerifyFailed: "A cryptographic verification failed.",
    errSecQuerySizeUnknown: "The size of the result is not known.",
    errSecBlockSizeMismatch: "The block size does not match.",
    errSecPublicKeyInconsistent: "The public key is inconsistent.",
    errSecDeviceVerifyFailed: "The device could not be verified.",
    errSecInvalidLoginName: "The login name is invalid.",
    errSecAlreadyLoggedIn: "A user is already logged in.",
    errSecInvalidDigestAlgorithm: "The digest algorithm is invalid.",
    errSecInvalidCRLGroup: "The revocation list group is invalid.",
    errSecCertificateCannotOperate: "The certificate cannot perform this operation.",
    errSecCertificateExpired: "The certificate has expired.",
    errSecCertificateNotValidYet: "The certificate is not valid yet.",
    errSecCertificateRevoked: "The certificate has been revoked.",
    errSecCertificateSuspended: "The certificate is suspended.",
    errSecInsufficientCredentials: "The credentials are not sufficient.",
    errSecInvalidAction: "The action is invalid.",
    errSecInvalidAuthority: "The authority is invalid.",
    errSecVerifyActionFailed: "The verification action failed.",
    errSecInvalidCertAuthority: "The certificate authority is invalid.",
    errSecInvalidCRLAuthority: "The revocation list authority is invalid.",
    errSecInvalidCRLEncoding: "The revocation list's encoding is invalid.",
    errSecInvalidCRLType: "The revocation list's type is invalid.",
    errSecInvalidCRL: "The revocation list is invalid.",
    errSecInvalidFormType: "The form's type is invalid.",
    errSecInvalidID: "The ID is invalid.",
    errSecInvalidIdentifier: "The identifier is invalid.",
    errSecInvalidIndex: "The index is invalid.",
    errSecInvalidPolicyIdentifiers: "The policy identifiers are invalid.",
    errSecInvalidTimeString: "The time string is invalid.",
    errSecInvalidReason: "The trust policy reason is invalid.",
    errSecInvalidRequestInputs: "The request inputs are invalid.",
    errSecInvalidResponseVector: "The response vector is invalid.",
    errSecInvalidStopOnPolicy: "The stop-on policy is invalid.",
    errSecInvalidTuple: "The tuple is invalid.",
    errSecMultipleValuesUnsupported: "Multiple values are not supported.",
    errSecNotTrusted: "The certificate is not trusted.",
    errSecNoDefaultAuthority: "There is no default authority.",
    errSecRejectedForm: "The form was rejected.",
    errSecRequestLost: "The request was lost.",
    errSecRequestRejected: "The request was rejected.",
    errSecUnsupportedAddressType: "Addresses of this type are not supported.",
    errSecUnsupportedService: "The service is not supported.",
    errSecInvalidTupleGroup: "The tuple group is invalid.",
    errSecInvalidBaseACLs: "The base access lists are invalid.",
    errSecInvalidTupleCredentials: "The tuple credentials are invalid.",
    errSecInvalidEncoding: "The encoding is invalid.",
    errSecInvalidValidityPeriod: "The validity period is invalid.",
    errSecInvalidRequestor: "The requestor is invalid.",
    errSecRequestDescriptor: "The request descriptor is invalid.",
    errSecInvalidBundleInfo: "The bundle information is invalid.",
    errSecInvalidCRLIndex: "The index into the revocation list is invalid.",
    errSecNoFieldValues: "The fields have no values.",
    errSecUnsupportedFieldFormat: "Fields of this format are not supported.",
    errSecUnsupportedIndexInfo: "The index information is not supported.",
    errSecUnsupportedLocality: "The locality is not supported.",
    errSecUnsupportedNumAttributes: "The number of attributes is not supported.",
    errSecUnsupportedNumIndexes: "The number of indexes is not supported.",
    errSecUnsupportedNumRecordTypes: "The number of record types is not supported.",
    errSecFieldSpecifiedMultiple: "A field was given more than once.",
    errSecIncompatibleFieldFormat: "The field format is incompatible.",
    errSecInvalidParsingModule: "The parsing module is invalid.",
    errSecDatabaseLocked: "The database is locked.",
    errSecDatastoreIsOpen: "The data store is open.",
    errSecMissingValue: "A value is missing.",
    errSecUnsupportedQueryLimits: "The query limits are not supported.",
    errSecUnsupportedNumSelectionPreds: "The number of query conditions is not supported.",
    errSecUnsupportedOperator: "The operator is not supported.",
    errSecInvalidDBLocation: "The database location is invalid.",
    errSecInvalidAccessRequest: "The access request is invalid.",
    errSecInvalidIndexInfo: "The index information is invalid.",
    errSecInvalidNewOwner: "The new owner is invalid.",
    errSecInvalidModifyMode: "The mode for modifying records is invalid.",
    errSecMissingRequiredExtension: "The certificate lacks a required extension.",
    errSecExtendedKeyUsageNotCritical: "The extended key usage is not critical.",
    errSecTimestampMissing: "An expected timestamp is missing.",
    errSecTimestampInvalid: "The timestamp is invalid.",
    errSecTimestampNotTrusted: "The timestamp is not trusted.",
    errSecTimestampServiceNotAvailable: "The timestamp service is not available.",
    errSecTimestampBadAlg: "The timestamp service does not support the algorithm.",
    errSecTimestampBadRequest: "The timestamp service does not allow or support the request.",
    errSecTimestampBadDataFormat: "The timestamp service could not read the request.",
    errSecTimestampTimeNotAvailable: "The time source of the timestamp service is not available.",
    errSecTimestampUnacceptedPolicy: "The timestamp service does not support the requested policy.",
    errSecTimestampUnacceptedExtension:
      "The timestamp service does not support the requested extension.",
    errSecTimestampAddInfoNotAvailable:
      "The timestamp service cannot provide the additional information.",
    errSecTimestampSystemFailure: "The timestamp service failed.",
    errSecSigningTimeMissing: "The signing time is missing.",
    errSecTimestampRejection: "The timestamp service rejected the request.",
    errSecTimestampWaiting: "The timestamp service has not answered yet.",
    errSecTimestampRevocationWarning: "The timestamp service's certificate is about to be revoked.",
    errSecTimestampRevocationNotification: "The timestamp service's certificate has been revoked.",
    errSecCertificatePolicyNotAllowed: "The certificate's issuer does not allow the policy.",
    errSecCertificateNameNotAllowed: "The certificate's issuer does not allow the name.",
    errSecCertificateValidityPeriodTooLong: "The certificate is valid for longer than allowed.",
    errSecCertificateIsCA:
      "The certificate belongs to an authority, but an end-entity certificate is required.",
    errSecCertificateDuplicateExtension: "The certificate contains a duplicate extension.",
    errSecMissingQualifiedCertStatement:
      "The certificate lacks a required qualified certificate statement.",
  ]
}
