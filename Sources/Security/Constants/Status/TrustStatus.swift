// Status codes of certificates, revocation and trust.

/// The required service is not available.
public let errSecServiceNotAvailable: OSStatus = -67585
/// The client's identification is insufficient.
public let errSecInsufficientClientID: OSStatus = -67586
/// The device was reset.
public let errSecDeviceReset: OSStatus = -67587
/// The device failed.
public let errSecDeviceFailed: OSStatus = -67588
/// The application could not be added to the access list.
public let errSecAppleAddAppACLSubject: OSStatus = -67589
/// The public key is incomplete.
public let errSecApplePublicKeyIncomplete: OSStatus = -67590
/// The signature does not match.
public let errSecAppleSignatureMismatch: OSStatus = -67591
/// The key's start date is invalid.
public let errSecAppleInvalidKeyStartDate: OSStatus = -67592
/// The key's end date is invalid.
public let errSecAppleInvalidKeyEndDate: OSStatus = -67593
/// The value could not be converted.
public let errSecConversionError: OSStatus = -67594
/// The connection was rolled back to SSL 2.
public let errSecAppleSSLv2Rollback: OSStatus = -67595
/// The quota was exceeded.
public let errSecQuotaExceeded: OSStatus = -67596
/// The file is too large.
public let errSecFileTooBig: OSStatus = -67597
/// A database record is invalid.
public let errSecInvalidDatabaseBlob: OSStatus = -67598
/// A key record in the database is invalid.
public let errSecInvalidKeyBlob: OSStatus = -67599
/// A database record has an incompatible version.
public let errSecIncompatibleDatabaseBlob: OSStatus = -67600
/// A key record in the database has an incompatible version.
public let errSecIncompatibleKeyBlob: OSStatus = -67601
/// The certificate does not match the host name.
public let errSecHostNameMismatch: OSStatus = -67602
/// The certificate has an unknown critical extension.
public let errSecUnknownCriticalExtensionFlag: OSStatus = -67603
/// The certificate has no basic constraints.
public let errSecNoBasicConstraints: OSStatus = -67604
/// The basic constraints do not allow the certificate to be an authority.
public let errSecNoBasicConstraintsCA: OSStatus = -67605
/// The authority key identifier is invalid.
public let errSecInvalidAuthorityKeyID: OSStatus = -67606
/// The subject key identifier is invalid.
public let errSecInvalidSubjectKeyID: OSStatus = -67607
/// The policy does not allow this use of the key.
public let errSecInvalidKeyUsageForPolicy: OSStatus = -67608
/// The extended key usage is invalid.
public let errSecInvalidExtendedKeyUsage: OSStatus = -67609
/// The identifiers that link two certificates are invalid.
public let errSecInvalidIDLinkage: OSStatus = -67610
/// The certificate chain exceeds a path length constraint.
public let errSecPathLengthConstraintExceeded: OSStatus = -67611
/// The root certificate is invalid.
public let errSecInvalidRoot: OSStatus = -67612
/// The revocation list has expired.
public let errSecCRLExpired: OSStatus = -67613
/// The revocation list is not valid yet.
public let errSecCRLNotValidYet: OSStatus = -67614
/// The revocation list was not found.
public let errSecCRLNotFound: OSStatus = -67615
/// The revocation list server does not answer.
public let errSecCRLServerDown: OSStatus = -67616
/// The revocation list's address is invalid.
public let errSecCRLBadURI: OSStatus = -67617
/// The certificate has an unknown extension.
public let errSecUnknownCertExtension: OSStatus = -67618
/// The revocation list has an unknown extension.
public let errSecUnknownCRLExtension: OSStatus = -67619
/// The revocation list is not trusted.
public let errSecCRLNotTrusted: OSStatus = -67620
/// The revocation list does not satisfy the policy.
public let errSecCRLPolicyFailed: OSStatus = -67621
/// The issuing distribution point does not match.
public let errSecIDPFailure: OSStatus = -67622
/// The certificate does not contain the sender's email address.
public let errSecSMIMEEmailAddressesNotFound: OSStatus = -67623
/// The extended key usage does not allow S/MIME.
public let errSecSMIMEBadExtendedKeyUsage: OSStatus = -67624
/// The key usage does not allow S/MIME.
public let errSecSMIMEBadKeyUsage: OSStatus = -67625
/// The key usage is not critical, as S/MIME requires.
public let errSecSMIMEKeyUsageNotCritical: OSStatus = -67626
/// The certificate contains no email address.
public let errSecSMIMENoEmailAddress: OSStatus = -67627
/// The subject alternative name is not critical, as S/MIME requires.
public let errSecSMIMESubjAltNameNotCritical: OSStatus = -67628
/// The extended key usage does not allow TLS.
public let errSecSSLBadExtendedKeyUsage: OSStatus = -67629
/// The OCSP response is incorrect or cannot be parsed.
public let errSecOCSPBadResponse: OSStatus = -67630
/// The OCSP request is incorrect or cannot be parsed.
public let errSecOCSPBadRequest: OSStatus = -67631
/// No OCSP responder is available.
public let errSecOCSPUnavailable: OSStatus = -67632
/// The OCSP responder does not know the certificate.
public let errSecOCSPStatusUnrecognized: OSStatus = -67633
/// There is no more data.
public let errSecEndOfData: OSStatus = -67634
/// Revocation could not be checked for the whole chain.
public let errSecIncompleteCertRevocationCheck: OSStatus = -67635
/// The network failed.
public let errSecNetworkFailure: OSStatus = -67636
/// The OCSP response does not lead to a trusted root.
public let errSecOCSPNotTrustedToAnchor: OSStatus = -67637
/// The record was modified in the meantime.
public let errSecRecordModified: OSStatus = -67638
/// The signature of the OCSP response is invalid.
public let errSecOCSPSignatureError: OSStatus = -67639
/// The OCSP response does not name its signer.
public let errSecOCSPNoSigner: OSStatus = -67640
/// The OCSP responder could not read the request.
public let errSecOCSPResponderMalformedReq: OSStatus = -67641
/// The OCSP responder failed.
public let errSecOCSPResponderInternalError: OSStatus = -67642
/// The OCSP responder is busy.
public let errSecOCSPResponderTryLater: OSStatus = -67643
/// The OCSP responder requires signed requests.
public let errSecOCSPResponderSignatureRequired: OSStatus = -67644
/// The OCSP responder refused the request.
public let errSecOCSPResponderUnauthorized: OSStatus = -67645
/// The nonce of the OCSP response does not match the request.
public let errSecOCSPResponseNonceMismatch: OSStatus = -67646
/// The code signing chain has the wrong length.
public let errSecCodeSigningBadCertChainLength: OSStatus = -67647
/// A code signing certificate has no basic constraints.
public let errSecCodeSigningNoBasicConstraints: OSStatus = -67648
/// The path length constraint for code signing is wrong.
public let errSecCodeSigningBadPathLengthConstraint: OSStatus = -67649
/// The certificate does not list code signing in its extended key usage.
public let errSecCodeSigningNoExtendedKeyUsage: OSStatus = -67650
/// The certificate can sign code for development only.
public let errSecCodeSigningDevelopment: OSStatus = -67651
/// The resource signing chain has the wrong length.
public let errSecResourceSignBadCertChainLength: OSStatus = -67652
/// The extended key usage does not allow resource signing.
public let errSecResourceSignBadExtKeyUsage: OSStatus = -67653
/// A trust setting rejects the certificate.
public let errSecTrustSettingDeny: OSStatus = -67654
/// The certificate's subject is invalid.
public let errSecInvalidSubjectName: OSStatus = -67655
/// The certificate contains an unknown qualified certificate statement.
public let errSecUnknownQualifiedCertStatement: OSStatus = -67656
/// The MobileMe request was queued.
public let errSecMobileMeRequestQueued: OSStatus = -67657
/// The MobileMe request was redirected.
public let errSecMobileMeRequestRedirected: OSStatus = -67658
/// The MobileMe server failed.
public let errSecMobileMeServerError: OSStatus = -67659
/// The MobileMe server is not available.
public let errSecMobileMeServerNotAvailable: OSStatus = -67660
/// The item already exists on the MobileMe server.
public let errSecMobileMeServerAlreadyExists: OSStatus = -67661
/// A MobileMe service failed.
public let errSecMobileMeServerServiceErr: OSStatus = -67662
/// A MobileMe request is already pending.
public let errSecMobileMeRequestAlreadyPending: OSStatus = -67663
/// No MobileMe request is pending.
public let errSecMobileMeNoRequestPending: OSStatus = -67664
/// MobileMe could not verify the certificate signing request.
public let errSecMobileMeCSRVerifyFailure: OSStatus = -67665
/// The MobileMe consistency check failed.
public let errSecMobileMeFailedConsistencyCheck: OSStatus = -67666

extension StatusMessages {
  static let trust: [OSStatus: String] = [
    errSecServiceNotAvailable: "The required service is not available.",
    errSecInsufficientClientID: "The client's identification is insufficient.",
    errSecDeviceReset: "The device was reset.",
    errSecDeviceFailed: "The device failed.",
    errSecAppleAddAppACLSubject: "The application could not be added to the access list.",
    errSecApplePublicKeyIncomplete: "The public key is incomplete.",
    errSecAppleSignatureMismatch: "The signature does not match.",
    errSecAppleInvalidKeyStartDate: "The key's start date is invalid.",
    errSecAppleInvalidKeyEndDate: "The key's end date is invalid.",
    errSecConversionError: "The value could not be converted.",
    errSecAppleSSLv2Rollback: "The connection was rolled back to SSL 2.",
    errSecQuotaExceeded: "The quota was exceeded.",
    errSecFileTooBig: "The file is too large.",
    errSecInvalidDatabaseBlob: "A database record is invalid.",
    errSecInvalidKeyBlob: "A key record in the database is invalid.",
    errSecIncompatibleDatabaseBlob: "A database record has an incompatible version.",
    errSecIncompatibleKeyBlob: "A key record in the database has an incompatible version.",
    errSecHostNameMismatch: "The certificate does not match the host name.",
    errSecUnknownCriticalExtensionFlag: "The certificate has an unknown critical extension.",
    errSecNoBasicConstraints: "The certificate has no basic constraints.",
    errSecNoBasicConstraintsCA:
      "The basic constraints do not allow the certificate to be an authority.",
    errSecInvalidAuthorityKeyID: "The authority key identifier is invalid.",
    errSecInvalidSubjectKeyID: "The subject key identifier is invalid.",
    errSecInvalidKeyUsageForPolicy: "The policy does not allow this use of the key.",
    errSecInvalidExtendedKeyUsage: "The extended key usage is invalid.",
    errSecInvalidIDLinkage: "The identifiers that link two certificates are invalid.",
    errSecPathLengthConstraintExceeded: "The certificate chain exceeds a path length constraint.",
    errSecInvalidRoot: "The root certificate is invalid.",
    errSecCRLExpired: "The revocation list has expired.",
    errSecCRLNotValidYet: "The revocation list is not valid yet.",
    errSecCRLNotFound: "The revocation list was not found.",
    errSecCRLServerDown: "The revocation list server does not answer.",
    errSecCRLBadURI: "The revocation list's address is invalid.",
    errSecUnknownCertExtension: "The certificate has an unknown extension.",
    errSecUnknownCRLExtension: "The revocation list has an unknown extension.",
    errSecCRLNotTrusted: "The revocation list is not trusted.",
    errSecCRLPolicyFailed: "The revocation list does not satisfy the policy.",
    errSecIDPFailure: "The issuing distribution point does not match.",
    errSecSMIMEEmailAddressesNotFound:
      "The certificate does not contain the sender's email address.",
    errSecSMIMEBadExtendedKeyUsage: "The extended key usage does not allow S/MIME.",
    errSecSMIMEBadKeyUsage: "The key usage does not allow S/MIME.",
    errSecSMIMEKeyUsageNotCritical: "The key usage is not critical, as S/MIME requires.",
    errSecSMIMENoEmailAddress: "The certificate contains no email address.",
    errSecSMIMESubjAltNameNotCritical:
      "The subject alternative name is not critical, as S/MIME requires.",
    errSecSSLBadExtendedKeyUsage: "The extended key usage does not allow TLS.",
    errSecOCSPBadResponse: "The OCSP response is incorrect or cannot be parsed.",
    errSecOCSPBadRequest: "The OCSP request is incorrect or cannot be parsed.",
    errSecOCSPUnavailable: "No OCSP responder is available.",
    errSecOCSPStatusUnrecognized: "The OCSP responder does not know the certificate.",
    errSecEndOfData: "There is no more data.",
    errSecIncompleteCertRevocationCheck: "Revocation could not be checked for the whole chain.",
    errSecNetworkFailure: "The network failed.",
    errSecOCSPNotTrustedToAnchor: "The OCSP response does not lead to a trusted root.",
    errSecRecordModified: "The record was modified in the meantime.",
    errSecOCSPSignatureError: "The signature of the OCSP response is invalid.",
    errSecOCSPNoSigner: "The OCSP response does not name its signer.",
    errSecOCSPResponderMalformedReq: "The OCSP responder could not read the request.",
    errSecOCSPResponderInternalError: "The OCSP responder failed.",
    errSecOCSPResponderTryLater: "The OCSP responder is busy.",
    errSecOCSPResponderSignatureRequired: "The OCSP responder requires signed requests.",
    errSecOCSPResponderUnauthorized: "The OCSP responder refused the request.",
    errSecOCSPResponseNonceMismatch: "The nonce of the OCSP response does not match the request.",
    errSecCodeSigningBadCertChainLength: "The code signing chain has the wrong length.",
    errSecCodeSigningNoBasicConstraints: "A code signing certificate has no basic constraints.",
    errSecCodeSigningBadPathLengthConstraint:
      "The path length constraint for code signing is wrong.",
    errSecCodeSigningNoExtendedKeyUsage:
      "The certificate does not list code signing in its extended key usage.",
    errSecCodeSigningDevelopment: "The certificate can sign code for development only.",
    errSecResourceSignBadCertChainLength: "The resource signing chain has the wrong length.",
    errSecResourceSignBadExtKeyUsage: "The extended key usage does not allow resource signing.",
    errSecTrustSettingDeny: "A trust setting rejects the certificate.",
    errSecInvalidSubjectName: "The certificate's subject is invalid.",
    errSecUnknownQualifiedCertStatement:
      "The certificate contains an unknown qualified certificate statement.",
    errSecMobileMeRequestQueued: "The MobileMe request was queued.",
    errSecMobileMeRequestRedirected: "The MobileMe request was redirected.",
    errSecMobileMeServerError: "The MobileMe server failed.",
    errSecMobileMeServerNotAvailable: "The MobileMe server is not available.",
    errSecMobileMeServerAlreadyExists: "The item already exists on the MobileMe server.",
    errSecMobileMeServerServiceErr: "A MobileMe service failed.",
    errSecMobileMeRequestAlreadyPending: "A MobileMe request is already pending.",
    errSecMobileMeNoRequestPending: "No MobileMe request is pending.",
    errSecMobileMeCSRVerifyFailure: "MobileMe could not verify the certificate signing request.",
    errSecMobileMeFailedConsistencyCheck: "The MobileMe consistency check failed.",
  ]
}
