// The module that Lambda lays beside JavaScript written into a template: it answers for a custom resource.
"use strict";
const http = require("node:http");
const https = require("node:https");

exports.SUCCESS = "SUCCESS";
exports.FAILED = "FAILED";

exports.send = (event, context, responseStatus, responseData, physicalResourceId, noEcho) =>
  new Promise((resolve, reject) => {
    const body = JSON.stringify({
      Status: responseStatus,
      Reason: `See the details in CloudWatch Log Stream: ${context.logStreamName}`,
      PhysicalResourceId: physicalResourceId || event.PhysicalResourceId || context.logStreamName || event.RequestId,
      StackId: event.StackId,
      RequestId: event.RequestId,
      LogicalResourceId: event.LogicalResourceId,
      NoEcho: noEcho || false,
      Data: responseData,
    });
    const url = new URL(event.ResponseURL);
    const options = { method: "PUT", headers: { "content-type": "", "content-length": Buffer.byteLength(body) } };
    const request = (url.protocol === "https:" ? https : http).request(url, options, (response) => {
      response.resume();
      response.on("end", () => {
        resolve(response.statusCode);
        if (typeof context.done === "function") context.done();
      });
    });
    request.on("error", (error) => {
      reject(error);
      if (typeof context.done === "function") context.done();
    });
    request.end(body);
  });
